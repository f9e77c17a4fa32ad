#!/bin/sh
# Sets the quantity of a pet in the inventory. Usage: sh set-quantity.sh PET_ID QUANTITY [ETAG]
# With an ETag, such as '"7-available"', only if the entry has it.
# petIds stay text here, so every digit is exact. jq before 1.7 would round them.
set -eu

fail() {
  echo "$*" >&2
  exit 1
}

is_number() {
  case $1 in '' | *[!0-9]* | 0?*) return 1 ;; esac
}

is_etag() {
  printf '%s\n' "$1" | grep -Eqx '"[0-9]+-[a-z]+"'
}

is_url() {
  case $1 in
    *[!A-Za-z0-9_.:/-]*) return 1 ;;
    http://*/v1 | https://*/v1) ;;
    *) return 1 ;;
  esac
}

is_key() {
  case $1 in '' | *[!A-Za-z0-9_]*) return 1 ;; esac
}

[ $# = 2 ] || [ $# = 3 ] || fail 'Usage: sh set-quantity.sh PET_ID QUANTITY [ETAG]'
is_number "${1#-}" || fail "PET_ID must be an integer, not \"$1\"."
is_number "$2" || fail "QUANTITY must be 0 or a positive integer, not \"$2\"."
[ $# = 2 ] || is_etag "$3" || fail "ETAG must be like \"7-available\", with its quotes, not $3."
is_url "${PETSTORE_BASE_URL-}" ||
  fail "Set PETSTORE_BASE_URL to the service's base URL, which ends in /v1."
is_key "${PETSTORE_API_KEY-}" ||
  fail 'Set PETSTORE_API_KEY to an API key, which has only letters, digits and underscores.'

files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
trap 'exit 130' INT TERM

# Sends one request. Fails unless the status is 200 and the body ends with the bracket $1: without
# it, the body was cut off. curl reads the key from standard input, because every user of the
# machine can see a program's arguments. It must not repeat anything by itself, whatever ~/.curlrc
# says.
send() {
  bracket=$1
  shift
  : >"$files/headers" >"$files/body"
  status=$(
    printf 'header = "Authorization: Bearer %s"' "$PETSTORE_API_KEY" |
      curl --config - --retry 0 --silent --show-error --compressed --max-time 330 \
        --dump-header "$files/headers" --output "$files/body" --write-out '%{http_code}' "$@" \
        2>"$files/errors"
  ) && [ "$status" = 200 ] && [ "$(tail -c 1 "$files/body")" = "$bracket" ]
}

# Whether the request may be repeated: after a 429 or a 503 always; after another 5xx, no response or
# a response that was cut off only without If-Match, because an update may have been applied.
may_repeat() {
  case $status in
    429 | 503) ;;
    000 | 200 | 5??) [ -z "$if_match" ] ;;
    *) return 1 ;;
  esac
}

describe_failure() {
  case $status in
    '' | 000) cat "$files/errors" ;;
    200) echo 'The response was cut off or is not valid JSON.' ;;
    *) echo "The service responded with $status: $(cat "$files/body")" ;;
  esac
}

# Sends a request, up to five times. Waits for the seconds in Retry-After, or else 1, 2, 4, then 8,
# and a random part of a second.
call() {
  for seconds in 1 2 4 8 0; do
    if send "$@"; then
      return
    fi
    if [ "$seconds" = 0 ] || ! may_repeat; then
      fail "$(describe_failure)"
    fi
    retry_after=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([1-9][0-9]*\).*/\1/p' "$files/headers")
    sleep "${retry_after:-$seconds}.$((100 + $(od -An -N2 -tu2 /dev/urandom) % 900))"
  done
}

if_match=
call ']' "$PETSTORE_BASE_URL/inventory"
tr '}' '\n' <"$files/body" | grep -Eq "\"petId\": *$1(,|\$)" || fail "The inventory has no pet $1."
if_match=${3-}
call '}' "$PETSTORE_BASE_URL/inventory/$1" --request PATCH ${3:+--header "If-Match: $3"} \
  --header 'Content-Type: application/json' --data "{\"quantity\":$2}"
echo "$(cat "$files/body")"
