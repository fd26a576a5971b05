#!/bin/sh
# Makes a user for each program at a versitygw; versitygw-rights.mjs then says what they may. Safe to run again: a secret that changed is taken over.
set -eu
for program in coordinator selector worker; do
  case $program in
    coordinator) secret=$COORDINATOR_S3_SECRET ;;
    selector) secret=$SELECTOR_S3_SECRET ;;
    worker) secret=$WORKER_S3_SECRET ;;
  esac
  admin() { versitygw admin --access "$S3_ACCESS_KEY_ID" --secret "$S3_SECRET_ACCESS_KEY" --endpoint-url "${S3_ENDPOINT:-http://s3:9000}" "$@"; }
  admin create-user --access "orchard-$program" --secret "$secret" --role user 2> /dev/null ||
    admin update-user --access "orchard-$program" --secret "$secret"
done
