#!/bin/sh
# Make the secrets that compose.yaml mounts, each once: a secret that exists stays as it is. Keep a copy of master_key and
# assignment_keys in a safe place: without the master key, keys of projects cannot be decrypted.
set -eu
folder=${1:-$(dirname "$0")/secrets}
umask 077
mkdir -p "$folder"

in_base64() { head -c 32 /dev/urandom | base64 | tr -d '\n'; }
in_hex() { head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }
write() {
    printf '%s' "$2" > "$folder/$1.new"
    # Containers read it under accounts of their own; the folder is closed to all other accounts of this machine.
    chmod 0444 "$folder/$1.new"
    mv -f "$folder/$1.new" "$folder/$1"
}
keep() { [ -e "$folder/$1" ] || write "$1" "$2"; }

keep master_key "$(in_base64)"
keep assignment_keys "$(in_base64)"
keep rate_limit_digest_key "$(in_base64)"
keep device_digest_keys "$(in_base64)"
# The password of the administrator of PostgreSQL. No process has it.
keep postgres_password "$(in_hex)"
# The owner, for migrations and the event consumer; rows only, for all others. database.sh gives the roles these passwords.
keep database_url "postgresql://onboarding:$(in_hex)@postgres:5432/onboarding"
keep database_url_app "postgresql://onboarding_app:$(in_hex)@postgres:5432/onboarding"

# The password of the administrator, the user `default` of Redis. No process has it.
keep redis_password "$(in_hex)"
# A sed script that fills the passwords into redis/users.acl. It follows from the other secrets, so it is written each time.
passwords="/^#/d
s/>ADMIN_PASSWORD/>$(cat "$folder/redis_password")/"
for process in edge management publisher consumer doctor; do
    keep "redis_url_$process" "redis://$process:$(in_hex)@redis:6379/0"
    password=$(sed 's,^redis://[^:]*:\([^@]*\)@.*,\1,' "$folder/redis_url_$process")
    passwords="$passwords
s/>$(printf %s "$process" | tr a-z A-Z)_PASSWORD/>$password/"
done
write redis_passwords "$passwords
"
