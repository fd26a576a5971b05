{{/* What all objects carry. */}}
{{- define "orchard.labels" -}}
app.kubernetes.io/part-of: orchard
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.labels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Where a secret is: (dict "root" $ "of" (a place of existingSecrets) "key" (in the chart's Secret) "optional" …). */}}
{{- define "orchard.secret" -}}
{{- $key := dict "name" (.of.name | default .root.Values.secretName) "key" (.of.key | default .key) -}}
{{- if .optional }}{{- $_ := set $key "optional" true }}{{- end }}
{{- dict "secretKeyRef" $key | toJson }}
{{- end }}

{{/* One of the three programs: (dict "name" … "root" $ "grace" … "termination" … "tail" (what only it has of env)). */}}
{{- define "orchard.deployment" -}}
{{- $own := get .root.Values .name -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    app.kubernetes.io/name: {{ .name }}
    {{- include "orchard.labels" .root | nindent 4 }}
spec:
  {{- if not (and .root.Values.keda.enabled (ne .name "coordinator")) }}
  replicas: {{ $own.replicas }}
  {{- end }}
  selector:
    matchLabels: { app.kubernetes.io/name: {{ .name }} }
  template:
    metadata:
      labels:
        app.kubernetes.io/name: {{ .name }}
        app.kubernetes.io/part-of: orchard
        app.kubernetes.io/instance: {{ .root.Release.Name }}
        {{- with .root.Values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        # a scraper shows a token: see infra/README.md
        prometheus.io/scrape: 'false'
        prometheus.io/port: {{ .port | quote }}
        # other values, other pods
        checksum/config: {{ include "orchard.config" .root | sha256sum }}
        {{- with .root.Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      {{- with .root.Values.image.pullSecrets }}
      imagePullSecrets:
        {{- range . }}
        - name: {{ . }}
        {{- end }}
      {{- end }}
      {{- with $own.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      {{- with $own.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      serviceAccountName: orchard
      automountServiceAccountToken: false
      terminationGracePeriodSeconds: {{ .termination }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        fsGroup: 1000
        seccompProfile: { type: RuntimeDefault }
      topologySpreadConstraints:
        {{- if $own.topologySpreadConstraints }}
        {{- toYaml $own.topologySpreadConstraints | nindent 8 }}
        {{- else }}
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: { app.kubernetes.io/name: {{ .name }} }
        {{- end }}
      containers:
        - name: {{ .name }}
          image: {{ printf "%s%s:%s" .root.Values.image.registry .name (.root.Values.image.tag | default .root.Chart.AppVersion) }}
          {{- with .root.Values.image.pullPolicy }}
          imagePullPolicy: {{ . }}
          {{- end }}
          ports: [{ name: http, containerPort: {{ .port }} }]
          envFrom:
            - configMapRef: { name: orchard }
          env:
            {{- $secrets := .root.Values.existingSecrets }}
            {{- $store := get $secrets .name }}
            {{- if eq .name "coordinator" }}
            - name: ORCHARD_TOKENS
              valueFrom: {{ include "orchard.secret" (dict "root" .root "of" $secrets.tokens "key" "tokens") }}
            {{- include "orchard.team" .root | trim | nindent 12 }}
            {{- else }}
            - name: ORCHARD_METRICS_TOKEN
              valueFrom: {{ include "orchard.secret" (dict "root" .root "of" $secrets.metricsToken "key" "metrics-token" "optional" true) }}
            {{- end }}
            - name: ORCHARD_REDIS_URL
              valueFrom: {{ include "orchard.secret" (dict "root" .root "of" $secrets.redisUrl "key" "redis-url") }}
            - name: AWS_ACCESS_KEY_ID
              valueFrom: {{ include "orchard.secret" (dict "root" .root "of" $store.s3AccessKeyId "key" "s3-access-key-id" "optional" true) }}
            - name: AWS_SECRET_ACCESS_KEY
              valueFrom: {{ include "orchard.secret" (dict "root" .root "of" $store.s3SecretAccessKey "key" "s3-secret-access-key" "optional" true) }}
            - { name: ORCHARD_GRACE_SECONDS, value: {{ .grace | quote }} }
            {{- if eq .name "worker" }}
            - { name: ORCHARD_THREADS, value: {{ $own.threads | quote }} }
            - { name: ORCHARD_MEMORY_BYTES, value: {{ $own.memoryBytes | quote }} }
            - { name: ORCHARD_CACHE_BYTES, value: {{ $own.cacheBytes | quote }} }
            {{- end }}
          startupProbe:
            httpGet: { path: /health/live, port: http }
            periodSeconds: 2
            failureThreshold: 30
          livenessProbe:
            httpGet: { path: /health/live, port: http }
            periodSeconds: 15
            timeoutSeconds: 5
            failureThreshold: 4
          readinessProbe:
            httpGet: { path: /health/ready, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
          resources:
            {{- toYaml $own.resources | nindent 12 }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            {{- if eq .name "worker" }}
            - { name: datasets, mountPath: /var/cache/orchard }
            {{- end }}
      volumes:
        - { name: tmp, emptyDir: {} }
        {{- if eq .name "worker" }}
        - name: datasets
          emptyDir: { sizeLimit: {{ $own.cacheVolume }} }
        {{- end }}
{{- end }}

{{/* What coordinators alone are told: limits, what is kept, webhooks. What is empty is not told. */}}
{{- define "orchard.team" -}}
{{- $limits := .Values.limitsPerPerson -}}
{{- $kept := .Values.retention -}}
{{- $told := dict
  "ORCHARD_MAX_THREADS_PER_PERSON" $limits.threads
  "ORCHARD_MAX_OPEN_RUNS_PER_PERSON" $limits.openRuns
  "ORCHARD_MAX_STORED_BYTES_PER_PERSON" $limits.storedBytes
  "ORCHARD_HOUSEKEEPING_HOURS" $kept.everyHours
  "ORCHARD_KEEP_RUNS_DAYS" $kept.runsDays
  "ORCHARD_KEEP_RUNS_PER_PERSON" $kept.runsPerPerson
  "ORCHARD_KEEP_BYTES_PER_PERSON" $kept.bytesPerPerson
  "ORCHARD_KEEP_UNUSED_DATASETS_DAYS" $kept.unusedDatasetsDays
  "ORCHARD_WEBHOOK_URLS" (join "," .Values.webhooks.urls) -}}
{{- range $name, $value := $told }}
{{- /* YAML of a file makes a float of a number, which would print as 1e+06 */}}
{{- $digits := kindIs "string" $value | ternary $value (int64 $value | toString) }}
{{- if ne $digits "" }}
- { name: {{ $name }}, value: {{ $digits | quote }} }
{{- end }}
{{- end }}
{{- if .Values.webhooks.urls }}
- name: ORCHARD_WEBHOOK_SECRET
  valueFrom: {{ include "orchard.secret" (dict "root" . "of" .Values.existingSecrets.webhookSecret "key" "webhook-secret") }}
{{- end }}
{{- end }}

{{/* The variables of all programs. */}}
{{- define "orchard.config" -}}
{{- $config := deepCopy .Values.config -}}
{{- with .Values.telemetry }}
{{- if .endpoint }}
{{- $_ := set $config "OTEL_EXPORTER_OTLP_ENDPOINT" .endpoint }}
{{- $_ := set $config "OTEL_EXPORTER_OTLP_PROTOCOL" .protocol }}
{{- if lt (float64 .share) 1.0 }}
{{- $_ := set $config "OTEL_TRACES_SAMPLER" "parentbased_traceidratio" }}
{{- $_ := set $config "OTEL_TRACES_SAMPLER_ARG" (toString .share) }}
{{- end }}
{{- end }}
{{- end }}
{{- toYaml $config }}
{{- end }}

{{/* Where a program may reach: names; Redis, plain and by TLS; the store; the collector; the node's role for S3. */}}
{{- define "orchard.egress" -}}
- ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
- ports: [{ port: 6379 }, { port: 6380 }, { port: 443 }, { port: 9000 }, { port: {{ .Values.telemetry.port }} }]
- to: [{ ipBlock: { cidr: 169.254.170.23/32 } }, { ipBlock: { cidr: 169.254.169.254/32 } }]
  ports: [{ port: 80 }]
{{- end }}
