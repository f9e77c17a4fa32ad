#!/bin/sh
# Sets a pet's quantity in the inventory. Usage: set-quantity.sh PET_ID QUANTITY
# petIds stay text here, so every digit is exact. jq before 1.7 would round them.
set -eu
fail() { echo "$*" >&2; exit 1; }
body=$(mktemp)
trap 'rm -f "$body"' EXIT

case $PETSTORE_API_KEY in '' | *[!A-Za-z0-9_]*) fail 'PETSTORE_API_KEY must be a key.' ;; esac
case $1 in '' | *[!0-9-]*) fail 'PET_ID must be a number.' ;; esac

# Retries a 429, a 5xx or a network error after the seconds in Retry-After, or else 1, 2, 4, 8. Fails on another 4xx.
# curl cannot add a random part to these seconds. If many clients run at once, use another example.
# curl reads the key from standard input, because every user of the machine can see a program's arguments.
request() {
  status=$(printf 'header = "Authorization: Bearer %s"' "$PETSTORE_API_KEY" | curl --config - --silent --show-error \
    --compressed --retry 4 --retry-all-errors --max-time 330 --output "$body" --write-out '%{http_code}' "$@")
  [ "$status" = 200 ] || fail "$status $(cat "$body")"
}

request "$PETSTORE_BASE_URL/inventory"
[ "$(tail -c 1 "$body")" = ']' ] || fail 'The list was cut off.'
tr '}' '\n' <"$body" | grep -Eq "\"petId\": *$1(,|\$)" || fail "No pet $1."
request "$PETSTORE_BASE_URL/inventory/$1" -X PATCH -H 'Content-Type: application/json' -d "{\"quantity\":$2}"
cat "$body"
