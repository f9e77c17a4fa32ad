#!/bin/sh
# Tries what AWS does not document of transactions: docs/deploy.md#tokens-of-refused-updates.
# TABLE is an inventory whose pet 1 may change; TRIAL begins every token.
set -u

# Sets the stock of the pet.
stock() {
  aws dynamodb update-item --table-name "$TABLE" --key '{"petId":{"N":"1"}}' \
    --update-expression 'SET quantity = :now' \
    --expression-attribute-values '{":now":{"N":"'"$1"'"}}' > /dev/null && echo "the stock is $1"
}

# Sends a transaction of one action. If it succeeds, prints its token.
transaction() {
  aws dynamodb transact-write-items --client-request-token "$TRIAL-$1" \
    --transact-items "[$2]" > /dev/null && echo "$1"
}

# Updates the pet if a condition holds.
update() {
  transaction "$1" '{"Update":{"TableName":"'"$TABLE"'","Key":{"petId":{"N":"1"}},
    "UpdateExpression":"SET quantity = :new","ConditionExpression":"'"$2"'",
    "ExpressionAttributeValues":{":new":{"N":"4"},":seven":{"N":"7"}}}}'
}

# Sends many requests for one update at once, each with a key.
rush() {
  seq 100 | xargs -P 100 -I N curl -s -o /dev/null -w '%{http_code} %{time_total}\n' -X PATCH \
    -H "Authorization: Bearer $PETSTORE_API_KEY" -H 'If-Match: "7-available"' \
    -H "Idempotency-Key: $TRIAL-N" -H 'Content-Type: application/json' -d '{"quantity":6}' \
    "$PETSTORE_BASE_URL/inventory/1" | sort
}

case "$1" in
  stock) stock "$2" ;;
  sell) update "$2" 'quantity = :seven' ;;
  set) update "$2" 'quantity = :seven OR quantity <> :seven' ;;
  check)
    transaction "$2" '{"ConditionCheck":{"TableName":"'"$TABLE"'",
      "Key":{"petId":{"N":"18446744073709551617"}},
      "ConditionExpression":"attribute_not_exists(petId)"}}'
    ;;
  # Sends 500 updates and checks, two with each token at the same time. Prints the tokens of which
  # both have succeeded.
  pairs)
    seq "${2:-500}" | awk '{ print "set pair-" $1; print "check pair-" $1 }' |
      xargs -P 20 -L 1 sh "$0" 2> /dev/null | sort | uniq -d
    ;;
  rush) rush ;;
  *) echo 'usage: trial.sh stock QUANTITY | sell TOKEN | check TOKEN | pairs | rush' >&2; exit 2 ;;
esac
