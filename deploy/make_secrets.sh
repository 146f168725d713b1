#!/bin/sh
# Makes the secrets that compose.yaml mounts, each once; what is there stays. Keep a copy of master_key and
# assignment_keys in a safe place: without the master key no project's keys can be read again.
set -eu
folder=${1:-$(dirname "$0")/secrets}
umask 077
mkdir -p "$folder"

in_base64() { head -c 32 /dev/urandom | base64 | tr -d '\n'; }
in_hex() { head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }
keep() {
    [ -e "$folder/$1" ] && return
    printf '%s' "$2" > "$folder/$1.new"
    # Containers read it as accounts of their own; the folder is closed to everybody else on this machine.
    chmod 0444 "$folder/$1.new"
    mv "$folder/$1.new" "$folder/$1"
}

keep master_key "$(in_base64)"
keep assignment_keys "$(in_base64)"
keep rate_limit_digest_key "$(in_base64)"
keep postgres_password "$(in_hex)"
keep database_url "postgresql://onboarding:$(cat "$folder/postgres_password")@postgres:5432/onboarding"
keep redis_password "$(in_hex)"
keep redis_auth "requirepass $(cat "$folder/redis_password")
"
keep redis_url "redis://:$(cat "$folder/redis_password")@redis:6379/0"
