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
trap interrupted INT TERM

# Says of a program that is interrupted what it may have done.
interrupted() {
  [ -z "$key" ] || echo "$unknown The program was interrupted." >&2
  exit 130
}

unknown='It may have been applied: check the entry.'
key=

# Sends one request. Fails unless the status is 200, the check $1 recognizes the body, and an
# Idempotency-Key is repeated: without that, it may have been dropped on its way. curl reads the API
# key from standard input, because every user of the machine can see a program's arguments. It must
# follow no redirect, whatever ~/.curlrc says.
send() {
  is_expected=$1
  shift
  : >"$files/headers" >"$files/body"
  answer=$(
    printf 'header = "Authorization: Bearer %s"' "$PETSTORE_API_KEY" |
      curl --config - --no-location --retry 0 --silent --show-error --compressed \
        --max-time 330 --dump-header "$files/headers" --output "$files/body" \
        --write-out '%{http_code} %{time_total}' "$@" 2>"$files/errors"
  )
  ended=$? status=${answer% *} seconds=${answer#* }
  # curl measures by a clock that nobody sets; a comma is that of some languages.
  spent=$((spent + ${seconds%%[.,]*} + 1))
  [ "$ended" = 0 ] && [ "$status" = 200 ] && "$is_expected" && has_key
}

# Whether the body is a list that was not cut off.
is_list() {
  [ "$(head -c 1 "$files/body")$(tail -c 1 "$files/body")" = '[]' ]
}

# Whether the body is the entry as it was sent.
is_updated() {
  [ "$(head -c 1 "$files/body")$(tail -c 1 "$files/body")" = '{}' ] &&
    grep -Eq "\"petId\" *: *$pet_id *[,}]" "$files/body" &&
    grep -Eq "\"quantity\" *: *$quantity *[,}]" "$files/body"
}

# Whether the response has the Idempotency-Key of the request, if that has one.
has_key() {
  [ -z "$key" ] || tr -d '\r' <"$files/headers" | grep -iqx "idempotency-key: *$key"
}

# Whether the request may succeed if it is sent again: also after a 200 of something else.
is_temporary() {
  case $status in
    200) [ "$ended" != 0 ] || ! "$is_expected" ;;
    '' | 000 | 408 | 429 | 5??) ;;
    *) return 1 ;;
  esac
}

# Whether the service says that no attempt with this Idempotency-Key was or will be applied.
is_refused() {
  has_key &&
    grep -Eq '"code": ?"(precondition_failed|pet_not_found|idempotency_key_reused)"' "$files/body"
}

# Whether it is too late to send the request again in $1 seconds: after five attempts, or with an
# Idempotency-Key after five minutes. The service promises no more. The clock may have been set, so
# what was spent on requests and pauses counts as well.
is_over() {
  if [ -n "$key" ]; then
    [ $(($(date +%s) + $1 - since)) -ge 300 ] || [ $((spent + $1)) -ge 300 ]
  else
    [ "$attempt" = 5 ]
  fi
}

describe_failure() {
  [ -z "$key" ] || is_refused || printf '%s ' "$unknown"
  case $status in
    '' | 000) cat "$files/errors" ;;
    200)
      if is_temporary; then
        echo "The response was cut off or is not what was asked for: $(cat "$files/body")"
      else
        echo "The response lacks the Idempotency-Key: $(cat "$files/body")"
      fi
      ;;
    *) echo "The service responded with $status: $(cat "$files/body")" ;;
  esac
}

# Sends a request until a response is final. Waits for the seconds in Retry-After, or else 1, 2, 4,
# 8, 8, ..., and a random part of a second. An update with a condition needs an Idempotency-Key:
# without one, it could be applied twice.
call() {
  since=$(date +%s) spent=0 attempt=1 pause=1
  until send "$@"; do
    seconds=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([1-9][0-9]*\).*/\1/p' "$files/headers")
    case $seconds in '') seconds=$pause ;; ????*) seconds=300 ;; esac
    if ! is_temporary || is_over "$seconds"; then
      fail "$(describe_failure)"
    fi
    spent=$((spent + seconds))
    sleep "$seconds.$((100 + $(od -An -N2 -tu2 /dev/urandom) % 900))"
    # The machine may have slept longer.
    ! is_over 0 || fail "$(describe_failure)"
    attempt=$((attempt + 1)) pause=$((pause < 8 ? pause * 2 : 8))
  done
}

pet_id=$1 quantity=$2
call is_list "$PETSTORE_BASE_URL/inventory"
tr '}' '\n' <"$files/body" | grep -Eq "\"petId\": *$1(,|\$)" || fail "The inventory has no pet $1."
# Without a condition, the same update may always be repeated.
if [ $# = 3 ]; then
  key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
fi
call is_updated "$PETSTORE_BASE_URL/inventory/$1" --request PATCH --max-time 30 \
  ${key:+--header "If-Match: $3" --header "Idempotency-Key: $key"} \
  --header 'Content-Type: application/json' --data "{\"quantity\":$2}"
echo "$(cat "$files/body")"
