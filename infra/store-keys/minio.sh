#!/bin/sh
# Makes the bucket of a MinIO, and for each program a user of its own with the rights of its file here. Safe to run again.
set -eu
mc alias set store http://s3:9000 "$S3_ACCESS_KEY_ID" "$S3_SECRET_ACCESS_KEY" > /dev/null
mc mb --ignore-existing "store/$S3_BUCKET"
for program in coordinator selector worker; do
  case $program in
    coordinator) secret=$COORDINATOR_S3_SECRET ;;
    selector) secret=$SELECTOR_S3_SECRET ;;
    worker) secret=$WORKER_S3_SECRET ;;
  esac
  while IFS= read -r line; do
    # without sed, which the image has not
    case $line in *BUCKET*) line="${line%%BUCKET*}$S3_BUCKET${line#*BUCKET}" ;; esac
    printf '%s\n' "$line"
  done < "/store-keys/$program.json" > "/tmp/$program.json"
  mc admin policy create store "orchard-$program" "/tmp/$program.json"
  mc admin user add store "orchard-$program" "$secret"
  # fails where it is attached already; then the user has to have it
  mc admin policy attach store "orchard-$program" --user "orchard-$program" 2> /dev/null ||
    case $(mc admin user info store "orchard-$program" --json) in
      *'"policyName":"orchard-'"$program"'"'*) ;;
      *) echo "The user orchard-$program has not the policy of its name." >&2 && exit 1 ;;
    esac
done
