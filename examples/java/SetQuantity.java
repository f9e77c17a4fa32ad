import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
    final double retryAfter;

    ResponseError(HttpResponse<?> response, String text) {
      super("The service responded with " + response.statusCode() + ": " + text);
      status = response.statusCode();
      var seconds = response.headers().firstValue("Retry-After");
      retryAfter = seconds.filter(value -> value.matches("\\d+")).map(Double::valueOf).orElse(0.0);
    }
  }

  static final int ATTEMPTS = 5;
  static final String BASE_URL = System.getenv().getOrDefault("PETSTORE_BASE_URL", "");
  static final String API_KEY = System.getenv().getOrDefault("PETSTORE_API_KEY", "");

  static {
    // Java would otherwise let whoever starts the program have every method repeated.
    System.setProperty("jdk.httpclient.enableAllMethodRetry", "false");
  }

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
      var response = CLIENT.sendAsync(request, handler).get(330, TimeUnit.SECONDS);
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

  /**
   * Says whether a request may be sent again: after a 429 or a 503 always; after another 5xx, a
   * network error or a response that was cut off only without If-Match, because the update may have
   * been applied.
   */
  static boolean mayRepeat(HttpRequest request, Failure failure) {
    int status = failure instanceof ResponseError response ? response.status : 0;
    boolean isConditional = request.headers().map().containsKey("If-Match");
    return status == 429
        || status == 503
        || !isConditional && (status == 0 || status >= 500);
  }

  /**
   * Sends a request, up to five times. Waits for the seconds in Retry-After, or else 1, 2, 4, then
   * 8, and a random part of a second.
   */
  static <T> T call(HttpRequest request, Class<T> type) throws Failure, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      double seconds = 1 << (attempt - 1);
      try {
        return send(request, type);
      } catch (Failure failure) {
        if (attempt == ATTEMPTS || !mayRepeat(request, failure)) throw failure;
        if (failure instanceof ResponseError response && response.retryAfter > 0) {
          seconds = response.retryAfter;
        }
      }
      Thread.sleep((long) (1000 * (seconds + Math.random())));
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
    if (etag != null) request.header("If-Match", etag);
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
