import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
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

  /** A response other than a valid 200. */
  static class ResponseError extends Failure {
    final int status;

    /** What the service calls the error; empty if the response is a proxy's. */
    final String code;

    /** The Idempotency-Key that took effect; empty without one. */
    final String key;

    final double retryAfter;

    ResponseError(HttpResponse<?> response, String problem, String text) {
      super(problem + ": " + text);
      key = keyOf(response.headers());
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

  /** Entries may get more members. */
  static final ObjectMapper JSON =
      new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);

  static final String UNKNOWN = "It may have been applied: check the entry. ";

  /** Whether an update with a condition is under way, so that nobody knows whether it was applied. */
  static volatile boolean isUnknown = false;

  static byte[] bodyOf(HttpResponse<byte[]> response) throws IOException {
    var encoding = response.headers().firstValue("Content-Encoding").orElse("");
    if (!encoding.equals("gzip")) {
      return response.body();
    }
    return new GZIPInputStream(new ByteArrayInputStream(response.body())).readAllBytes();
  }

  static String keyOf(HttpHeaders headers) {
    return headers.firstValue("Idempotency-Key").orElse("");
  }

  /** Sends a request once. Its 200 counts if the body is expected. */
  static <T> T send(HttpRequest request, Class<T> type, Predicate<T> isExpected)
      throws Failure, InterruptedException {
    try {
      var handler = HttpResponse.BodyHandlers.ofByteArray();
      int timeout = request.method().equals("PATCH") ? 30 : 330;
      var response = CLIENT.sendAsync(request, handler).get(timeout, TimeUnit.SECONDS);
      var body = bodyOf(response);
      int status = response.statusCode();
      var text = new String(body);
      if (status != 200) {
        throw new ResponseError(response, "The service responded with " + status, text);
      }
      T result = parse(body, type);
      if (result == null || !isExpected.test(result)) {
        throw new Failure("The response was cut off or is not what was asked for: " + text);
      }
      if (!keyOf(response.headers()).equals(keyOf(request.headers()))) {
        throw new ResponseError(response, "The response lacks the Idempotency-Key", text);
      }
      return result;
    } catch (ExecutionException error) {
      throw new Failure("There is no complete response: " + error.getCause());
    } catch (IOException | TimeoutException error) {
      throw new Failure("There is no complete response: " + error);
    }
  }

  static <T> T parse(byte[] body, Class<T> type) throws IOException {
    try {
      return JSON.readValue(body, type);
    } catch (JsonProcessingException error) {
      return null;
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
  static boolean isRefused(HttpRequest request, Failure failure) {
    var refusals = List.of("precondition_failed", "pet_not_found", "idempotency_key_reused");
    return failure instanceof ResponseError response
        && refusals.contains(response.code)
        && response.key.equals(keyOf(request.headers()));
  }

  /** Starts to count seconds, by the clock that is further: one stands still in sleep, one is set. */
  static DoubleSupplier stopwatch() {
    long since = System.currentTimeMillis(), sinceBoot = System.nanoTime();
    return () ->
        Math.max(
            (System.currentTimeMillis() - since) / 1e3, (System.nanoTime() - sinceBoot) / 1e9);
  }

  /** Whether it is too late to send a request again in some seconds. */
  static boolean isOver(HttpRequest request, int attempt, DoubleSupplier passed, double seconds) {
    boolean hasKey = !keyOf(request.headers()).isEmpty();
    return hasKey ? passed.getAsDouble() + seconds >= FIVE_MINUTES : attempt >= ATTEMPTS;
  }

  /**
   * Whether a request may be sent again, after waiting for the seconds in Retry-After, or else 1,
   * 2, 4, 8, 8, ..., and a random part of a second. An update with a condition needs an
   * Idempotency-Key: without one, it could be applied twice.
   */
  static boolean mayRepeat(
      HttpRequest request, Failure failure, int attempt, DoubleSupplier passed)
      throws InterruptedException {
    double seconds = 1 << Math.min(attempt - 1, 3);
    if (failure instanceof ResponseError response && response.retryAfter > 0) {
      seconds = response.retryAfter;
    }
    seconds = Math.min(seconds, FIVE_MINUTES) + Math.random();
    if (!isTemporary(failure) || isOver(request, attempt, passed, seconds)) {
      return false;
    }
    Thread.sleep((long) (1000 * seconds));
    // The machine may have slept longer.
    return !isOver(request, attempt, passed, 0);
  }

  /** Sends a request until a response is final. */
  static <T> T call(HttpRequest request, Class<T> type, Predicate<T> isExpected)
      throws Failure, InterruptedException {
    var passed = stopwatch();
    boolean isConditional = !keyOf(request.headers()).isEmpty();
    isUnknown = isConditional;
    try {
      for (int attempt = 1; ; attempt++) {
        try {
          return send(request, type, isExpected);
        } catch (Failure failure) {
          if (mayRepeat(request, failure, attempt, passed)) continue;
          if (!isConditional || isRefused(request, failure)) throw failure;
          throw new Failure(UNKNOWN + failure.getMessage());
        }
      }
    } finally {
      isUnknown = false;
    }
  }

  static InventoryItem setQuantity(String petId, String quantity, String etag)
      throws Failure, InterruptedException {
    var inventory = call(request("GET", "/inventory", "").build(), InventoryItem[].class, list -> true);
    check(
        Arrays.stream(inventory).anyMatch(item -> petId.equals(Long.toString(item.petId()))),
        "The inventory has no pet " + petId + ".");
    var update = "{\"quantity\":" + quantity + "}";
    var request = request("PATCH", "/inventory/" + petId, update);
    // Without a condition, the same update may always be repeated.
    if (etag != null) {
      request.header("If-Match", etag).header("Idempotency-Key", UUID.randomUUID().toString());
    }
    return call(
        request.build(),
        InventoryItem.class,
        item ->
            item.status() != null
                && petId.equals(Long.toString(item.petId()))
                && quantity.equals(Long.toString(item.quantity())));
  }

  static void check(boolean isValid, String message) throws Failure {
    if (!isValid) throw new Failure(message);
  }

  /** Says of a program that is interrupted what it may have done. */
  static void sayWhenInterrupted() {
    if (isUnknown) {
      System.err.println(UNKNOWN + "The program was interrupted.");
    }
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
      Runtime.getRuntime().addShutdownHook(new Thread(SetQuantity::sayWhenInterrupted));
      System.out.println(JSON.writeValueAsString(setQuantity(petId, quantity, etag)));
    } catch (Exception error) {
      System.err.println(error.getMessage());
      System.exit(1);
    }
  }
}
