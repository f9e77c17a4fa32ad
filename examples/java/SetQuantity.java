import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * Sets the quantity of a pet in the inventory; with an ETag, such as '"7-available"', only if the
 * entry has it.
 * Usage: java -cp 'target/dependency/*' SetQuantity.java PET_ID QUANTITY [ETAG]
 */
public class SetQuantity {
  record InventoryItem(long petId, long quantity, String status) {}

  /** Why the program ends, in a sentence. */
  static class Failure extends Exception {
    Failure(String message) {
      super(message);
    }
  }

  /** A response other than 200. */
  static class ResponseError extends Failure {
    final int status;

    /** What the service calls the error; empty if the response is a proxy's. */
    final String code;

    final double retryAfter;

    ResponseError(HttpResponse<?> response, String text) {
      super("The service responded with " + response.statusCode() + ": " + text);
      status = response.statusCode();
      var named = Pattern.compile("\"code\": ?\"(\\w+)\"").matcher(text);
      code = named.find() ? named.group(1) : "";
      var seconds = response.headers().firstValue("Retry-After");
      retryAfter = seconds.filter(value -> value.matches("\\d+")).map(Double::valueOf).orElse(0.0);
    }
  }

  /** How often a request is sent that has no Idempotency-Key. */
  static final int ATTEMPTS = 5;

  /** How long a request is sent again that has one: the service promises no more. */
  static final double FIVE_MINUTES = 300;

  static final String BASE_URL = System.getenv().getOrDefault("PETSTORE_BASE_URL", "");
  static final String API_KEY = System.getenv().getOrDefault("PETSTORE_API_KEY", "");

  /** It follows no redirects. (HttpURLConnection cannot send a PATCH.) */
  static final HttpClient CLIENT = HttpClient.newHttpClient();

  static final ObjectMapper JSON = new ObjectMapper();

  static byte[] bodyOf(HttpResponse<byte[]> response) throws IOException {
    var encoding = response.headers().firstValue("Content-Encoding").orElse("");
    if (!encoding.equals("gzip")) {
      return response.body();
    }
    return new GZIPInputStream(new ByteArrayInputStream(response.body())).readAllBytes();
  }

  /** Sends a request once. */
  static <T> T send(HttpRequest request, Class<T> type) throws Failure, InterruptedException {
    try {
      var handler = HttpResponse.BodyHandlers.ofByteArray();
      int timeout = request.method().equals("PATCH") ? 30 : 330;
      var response = CLIENT.sendAsync(request, handler).get(timeout, TimeUnit.SECONDS);
      var body = bodyOf(response);
      if (response.statusCode() != 200) {
        throw new ResponseError(response, new String(body));
      }
      return JSON.readValue(body, type);
    } catch (JsonProcessingException error) {
      throw new Failure("The response was cut off or is not valid JSON.");
    } catch (ExecutionException error) {
      throw new Failure("There is no complete response: " + error.getCause());
    } catch (IOException | TimeoutException error) {
      throw new Failure("There is no complete response: " + error);
    }
  }

  static HttpRequest.Builder request(String method, String path, String body) {
    return HttpRequest.newBuilder(URI.create(BASE_URL + path))
        .header("Authorization", "Bearer " + API_KEY)
        .header("Content-Type", "application/json")
        .header("Accept-Encoding", "gzip")
        .method(method, HttpRequest.BodyPublishers.ofString(body));
  }

  /** Whether a request may succeed if it is sent again. */
  static boolean isTemporary(Failure failure) {
    int status = failure instanceof ResponseError response ? response.status : 0;
    return status == 0 || status == 408 || status == 429 || status >= 500;
  }

  /** Whether the service says that no attempt with this Idempotency-Key was or will be applied. */
  static boolean isRefused(Failure failure) {
    var refusals = List.of("precondition_failed", "pet_not_found", "idempotency_key_reused");
    return failure instanceof ResponseError response && refusals.contains(response.code);
  }

  /** Whether it is too late to send a request again in some seconds. */
  static boolean isOver(HttpRequest request, int attempt, long since, double seconds) {
    boolean hasKey = request.headers().map().containsKey("Idempotency-Key");
    double passed = (System.currentTimeMillis() - since) / 1000.0;
    return hasKey ? passed + seconds >= FIVE_MINUTES : attempt >= ATTEMPTS;
  }

  /**
   * Whether a request may be sent again, after waiting for the seconds in Retry-After, or else 1,
   * 2, 4, 8, 8, ..., and a random part of a second. An update with a condition needs an
   * Idempotency-Key: without one, it could be applied twice.
   */
  static boolean mayRepeat(HttpRequest request, Failure failure, int attempt, long since)
      throws InterruptedException {
    double seconds = 1 << Math.min(attempt - 1, 3);
    if (failure instanceof ResponseError response && response.retryAfter > 0) {
      seconds = response.retryAfter;
    }
    seconds += Math.random();
    if (!isTemporary(failure) || isOver(request, attempt, since, seconds)) {
      return false;
    }
    Thread.sleep((long) (1000 * seconds));
    // The machine may have slept longer.
    return !isOver(request, attempt, since, 0);
  }

  /** Sends a request until a response is final. */
  static <T> T call(HttpRequest request, Class<T> type) throws Failure, InterruptedException {
    long since = System.currentTimeMillis();
    boolean isConditional = request.headers().map().containsKey("If-Match");
    for (int attempt = 1; ; attempt++) {
      try {
        return send(request, type);
      } catch (Failure failure) {
        if (mayRepeat(request, failure, attempt, since)) continue;
        if (!isConditional || isRefused(failure)) throw failure;
        throw new Failure("It may have been applied: check the entry. " + failure.getMessage());
      }
    }
  }

  static InventoryItem setQuantity(String petId, String quantity, String etag)
      throws Failure, InterruptedException {
    var inventory = call(request("GET", "/inventory", "").build(), InventoryItem[].class);
    check(
        Arrays.stream(inventory).anyMatch(item -> petId.equals(Long.toString(item.petId()))),
        "The inventory has no pet " + petId + ".");
    var update = "{\"quantity\":" + quantity + "}";
    var request = request("PATCH", "/inventory/" + petId, update);
    // Without a condition, the same update may always be repeated.
    if (etag != null) {
      request.header("If-Match", etag).header("Idempotency-Key", UUID.randomUUID().toString());
    }
    return call(request.build(), InventoryItem.class);
  }

  static void check(boolean isValid, String message) throws Failure {
    if (!isValid) throw new Failure(message);
  }

  public static void main(String[] args) {
    try {
      check(
          args.length == 2 || args.length == 3,
          "Usage: java -cp 'target/dependency/*' SetQuantity.java PET_ID QUANTITY [ETAG]");
      String petId = args[0], quantity = args[1], etag = args.length == 3 ? args[2] : null;
      check(petId.matches("0|-?[1-9]\\d*"), "PET_ID must be an integer, not \"" + petId + "\".");
      check(
          quantity.matches("0|[1-9]\\d*"),
          "QUANTITY must be 0 or a positive integer, not \"" + quantity + "\".");
      check(
          etag == null || etag.matches("\"\\d+-[a-z]+\""),
          "ETAG must be like \"7-available\", with its quotes, not " + etag + ".");
      check(
          BASE_URL.matches("https?://[\\w.-]+(:\\d+)?(/[\\w.-]+)*/v1"),
          "Set PETSTORE_BASE_URL to the service's base URL, which ends in /v1.");
      check(
          API_KEY.matches("\\w+"),
          "Set PETSTORE_API_KEY to an API key, which has only letters, digits and underscores.");
      System.out.println(JSON.writeValueAsString(setQuantity(petId, quantity, etag)));
    } catch (Exception error) {
      System.err.println(error.getMessage());
      System.exit(1);
    }
  }
}
