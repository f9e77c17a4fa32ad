#!/bin/sh
# Sells one of a pet, once, however often it is started. Usage: sh sell.sh PET_ID ORDER
set -eu

pet_id=${1:?PET_ID is missing} order=${2:?ORDER is missing}
: "${PETSTORE_BASE_URL:?is missing}" "${PETSTORE_API_KEY:?is missing}"
deadline=$(($(date +%s) + 600))
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
  echo "$*" >&2
  exit 1
}

# Prints a random number of 32 bits.
random() {
  od -An -N4 -tu4 /dev/urandom
}

# Sends a request once. Sets the status, which is 000 if there is no complete response. curl reads the
# API key from its input, because everybody on this machine can see its arguments.
exchange() {
  : >"$folder/headers" >"$folder/body"
  # A list takes up to a minute.
  status=$(
    printf 'Authorization: Bearer %s' "$PETSTORE_API_KEY" |
      curl --silent --show-error --max-time 70 --header @- --header 'Content-Type: application/json' \
        --dump-header "$folder/headers" --output "$folder/body" --write-out '%{http_code}' "$@"
  ) || status=000
  # A list that was cut off is no JSON.
  [ "$status" != 200 ] || jq -e type "$folder/body" >/dev/null || status=000
}

# Whether the response has the key $1. If not, it is not the service's, or a proxy has dropped the key.
has_key() {
  tr -d '\r' <"$folder/headers" | grep -Fixq "Idempotency-Key: $1"
}

# Sends a request, again and unchanged, until a status of $1 decides. Its Idempotency-Key is $2.
send() {
  decisive=$1 key=$2 wait=0 pause=1
  shift 2
  while [ $(($(date +%s) + wait)) -lt "$deadline" ]; do
    [ "$wait" = 0 ] || sleep "$wait.$((100 + $(random) % 900))"
    exchange "$@"
    case $status in
      000 | 408 | 429 | 5??) ;;
      *)
        case $decisive in *$status*) if [ -z "$key" ] || has_key "$key"; then return; fi ;; esac
        fail "Stopped by $status: $(cat "$folder/body")"
        ;;
    esac
    retry_after=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([0-9]*\).*/\1/p' "$folder/headers")
    wait=$((${retry_after:-0} > pause ? ${retry_after:-0} : pause))
    pause=$((pause < 8 ? 2 * pause : 8))
    echo "$status $(cat "$folder/body") (again in $wait s)" >&2
  done
  fail 'It may be sold or not. Run me again with the same arguments.'
}

number=1
while :; do
  send 200 '' "$PETSTORE_BASE_URL/inventory"
  # The petIds become text, because jq rounds large numbers.
  before=$(
    sed -E 's/"petId": *(-?[0-9]+)/"petId":"\1"/g' "$folder/body" | jq --arg pet_id "$pet_id" \
      '.[] | select(.petId == $pet_id and .status == "available" and .quantity > 0).quantity'
  )
  is_for_sale=${before:+yes} after=$((${before:-1} - 1))
  # Unless it is for sale, an earlier run may have sold it: ask what became of this try. No pet has so
  # many, so this changes nothing. It is random, so that no earlier answer to it is repeated.
  before=${before:-$((9007199254740992 + $(random)))}
  send '200 404 412 422' "$order-$number" "$PETSTORE_BASE_URL/inventory/$pet_id" --request PATCH \
    --header "Idempotency-Key: $order-$number" --header "If-Match: \"$before-available\"" \
    --data "{\"quantity\":$after}"
  case $(jq -r '.code // "applied"' "$folder/body") in
    applied | already_applied) echo "Sold one of pet $pet_id to $order." && exit ;;
    already_refused) ;;
    *) [ "$is_for_sale" ] || fail "Not sold: pet $pet_id is not available." ;;
  esac
  # This try was refused, and cannot sell any more.
  number=$((number + 1))
done
