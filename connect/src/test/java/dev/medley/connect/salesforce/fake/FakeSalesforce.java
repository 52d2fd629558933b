package dev.medley.connect.salesforce.fake;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An org on a port of this machine. */
public final class FakeSalesforce implements AutoCloseable {
    public static final String CONSUMER_KEY = "3MVG9fakeConsumerKey";
    public static final String USER = "medley@example.com";

    public final FakeOrg org = new FakeOrg();
    public final FakeSwitches switches = new FakeSwitches();
    private static final KeyPair KEY = newKey(); // One for all: it takes a second to make.

    private final FakeTokens tokens;
    private final FakeRoutes routes;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(FakeSalesforce::daemon);
    private final AtomicInteger calls = new AtomicInteger();
    private final List<FakeCall> heard = new ArrayList<>();
    private @Nullable FakePubSub pubSub;
    private final CountDownLatch closing = new CountDownLatch(1);

    static { // Else an answer waits up to 40 ms for the acknowledgement of its head.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private FakeSalesforce(int port) throws IOException {
        tokens = new FakeTokens(KEY.getPublic(), CONSUMER_KEY, USER);
        server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        routes = new FakeRoutes(org, switches);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    /** On a free port. */
    public static FakeSalesforce start() {
        return start(0);
    }

    /** On that port. */
    public static FakeSalesforce start(int port) {
        try {
            return new FakeSalesforce(port);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "fake-salesforce");
        thread.setDaemon(true);
        return thread;
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The address of its Pub/Sub API, which begins with the first question for it. */
    public synchronized String eventsUrl() {
        return "http://" + pubSub(FakePubSub.Transport.PLAIN).place();
    }

    /** Host and port of the same with TLS, whose certificate nobody knows. */
    public synchronized String eventsPlace() {
        return pubSub(FakePubSub.Transport.TLS).place();
    }

    private FakePubSub pubSub(FakePubSub.Transport transport) {
        FakePubSub begun = pubSub;
        if (begun == null) {
            begun =
                    new FakePubSub(
                            org.events,
                            transport,
                            headers ->
                                    tokens.isGood(
                                                    headers.get("accesstoken", ""),
                                                    headers.get("tenantid", ""))
                                            && headers.get("instanceurl", "")
                                                    .replaceFirst("^https", "http")
                                                    .equals(url()));
            pubSub = begun;
        }
        return begun;
    }

    private static KeyPair newKey() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The connected app's private key in PKCS 8, as a file has it. */
    public String keyPem() {
        return pem(KEY);
    }

    /** Another one, which the app does not know. */
    public static String otherKeyPem() {
        return pem(newKey());
    }

    private static String pem(KeyPair pair) {
        String text = Base64.getMimeEncoder().encodeToString(pair.getPrivate().getEncoded());
        return "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n";
    }

    /** All tokens that were given end now. */
    public void expireTokens() {
        tokens.expire();
    }

    /** Another org answers from now on, whose records are what the test makes of them. */
    public void becomeOrg(String id) {
        tokens.become(id);
    }

    /** How many calls came so far, for tokens, too. */
    public int callCount() {
        return calls.get();
    }

    /** The calls that came so far. */
    public List<FakeCall> heard() {
        synchronized (heard) {
            return List.copyOf(heard);
        }
    }

    /** Jobs that were not deleted. */
    public List<String> jobs() {
        return routes.jobs().ids();
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        FakeCall call =
                new FakeCall(
                        calls.incrementAndGet(),
                        exchange.getRequestMethod(),
                        exchange.getRequestURI().toString());
        synchronized (heard) {
            heard.add(call);
        }
        FakeFault fault = switches.calls.apply(call);
        if (fault == FakeFault.CUT_BEFORE) {
            exchange.close();
            return;
        }
        FakeAnswer answer = answer(exchange, call, body, fault);
        if (fault == FakeFault.CUT_AFTER) {
            exchange.close();
            return;
        }
        if (fault == FakeFault.SILENT) {
            waitForTheEnd();
            exchange.close();
            return;
        }
        if (fault == FakeFault.UNAVAILABLE_AFTER) {
            answer = FakeAnswer.error(503, "SERVER_UNAVAILABLE", "try again later");
        }
        send(exchange, answer, fault);
    }

    private void waitForTheEnd() {
        try {
            closing.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private FakeAnswer answer(HttpExchange exchange, FakeCall call, byte[] body, FakeFault fault) {
        try {
            String text = new String(body, StandardCharsets.UTF_8);
            if (fault == FakeFault.UNAVAILABLE) {
                throw new FakeRefusal(503, "SERVER_UNAVAILABLE", "try again later");
            }
            if (call.path().startsWith("/services/oauth2/token")) {
                long nowSeconds = Clock.system().wallMillis() / 1000 + switches.aheadSeconds;
                return FakeAnswer.json(200, tokens.give(text, url(), nowSeconds));
            }
            String authorization = exchange.getRequestHeaders().getFirst("Authorization");
            String token =
                    authorization == null ? "" : authorization.replaceFirst("^(Bearer|OAuth) ", "");
            if (fault == FakeFault.UNAUTHORIZED || !tokens.isGood(token)) {
                throw new FakeRefusal(401, "INVALID_SESSION_ID", "Session expired or invalid");
            }
            if (fault == FakeFault.LIMIT) {
                throw new FakeRefusal(
                        403, "REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded.");
            }
            org.count();
            return routes.answer(call, text);
        } catch (FakeRefusal e) {
            return call.path().startsWith("/services/oauth2/token")
                    ? FakeAnswer.json(
                            e.status, Map.of("error", e.code, "error_description", e.getMessage()))
                    : FakeAnswer.error(e.status, e.code, e.getMessage());
        } catch (RuntimeException e) {
            return FakeAnswer.error(500, "UNKNOWN_EXCEPTION", String.valueOf(e));
        }
    }

    private void send(HttpExchange exchange, FakeAnswer answer, FakeFault fault)
            throws IOException {
        byte[] bytes = answer.body();
        if (fault == FakeFault.SHORTENED) {
            int end =
                    new String(bytes, StandardCharsets.ISO_8859_1)
                            .lastIndexOf('\n', bytes.length - 2);
            bytes = Arrays.copyOf(bytes, Math.max(0, end + 1));
        }
        Map<String, String> headers = new LinkedHashMap<>(answer.headers());
        headers.put("Sforce-Limit-Info", "api-usage=%d/%d".formatted(org.calls(), org.mostCalls()));
        headers.forEach(
                (name, value) -> {
                    if (!switches.strippedHeaders.contains(name.toLowerCase(Locale.ROOT))) {
                        exchange.getResponseHeaders().set(name, value);
                    }
                });
        exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
        OutputStream out = exchange.getResponseBody();
        if (fault == FakeFault.CUT_WITHIN) {
            out.write(bytes, 0, bytes.length / 2);
            out.flush();
            throw new IOException("cut"); // What leaves the handler so closes the connection.
        }
        if (bytes.length > 0) {
            out.write(bytes);
        }
        exchange.close();
    }

    @Override
    public void close() {
        closing.countDown();
        synchronized (this) {
            if (pubSub != null) {
                pubSub.close();
            }
        }
        server.stop(0);
        threads.shutdownNow();
    }

    /** An answer before faults. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record FakeAnswer(int status, Map<String, String> headers, byte[] body) {
        static FakeAnswer json(int status, @Nullable Object value) {
            return new FakeAnswer(
                    status,
                    Map.of("Content-Type", "application/json;charset=UTF-8"),
                    Json.bytes(value == null ? Map.of() : value));
        }

        static FakeAnswer error(int status, String code, String message) {
            return json(status, List.of(Map.of("errorCode", code, "message", message)));
        }

        static FakeAnswer csv(String text, Map<String, String> headers) {
            Map<String, String> all = new LinkedHashMap<>(headers);
            all.put("Content-Type", "text/csv");
            return new FakeAnswer(200, all, text.getBytes(StandardCharsets.UTF_8));
        }

        static FakeAnswer nothing(int status) {
            return new FakeAnswer(status, Map.of(), new byte[0]);
        }
    }
}
