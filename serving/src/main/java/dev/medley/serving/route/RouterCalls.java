package dev.medley.serving.route;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.client.InvalidResponseException;
import com.linecorp.armeria.client.RequestOptions;
import com.linecorp.armeria.client.ResponseTimeoutException;
import com.linecorp.armeria.client.SessionProtocolNegotiationException;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ProtocolViolationException;
import com.linecorp.armeria.common.stream.AbortedStreamException;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import dev.medley.base.ConfigException;
import dev.medley.serving.route.ReplicaTable.Miss;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls servers, and can break off all calls to one that hangs.
 *
 * <p>Thread: any.
 */
final class RouterCalls implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RouterCalls.class);
    private static final int MOST_CAUSES = 10;

    /** What is the matter with a server that says nothing. */
    static final String BROKE_OFF = "it broke off the connection without an answer";

    private static final Duration CONNECT = Duration.ofSeconds(3);

    private final ClientFactory factory;
    private final long answerBytes;
    private final Map<String, WebClient> clients = new ConcurrentHashMap<>();
    private final Map<String, Set<HttpResponse>> underWay = new ConcurrentHashMap<>();

    /**
     * Opens no connection yet.
     *
     * @param to with the certificates of servers that speak TLS
     */
    RouterCalls(RouterServer.To to, Duration idle, long answerBytes) {
        ClientFactoryBuilder builder =
                ClientFactory.builder()
                        .connectTimeout(CONNECT)
                        .idleTimeout(idle)
                        .meterRegistry(new CompositeMeterRegistry());
        Path authority = to.authority();
        Path chain = to.certificate();
        Path key = to.key();
        if (authority != null) {
            requireReadable("--to-ca", authority);
            require(
                    "--to-ca %s: is no certificate in PEM".formatted(authority),
                    tls -> tls.trustManager(authority.toFile()));
            builder.tlsCustomizer(tls -> tls.trustManager(authority.toFile()));
        }
        if (chain != null && key != null) {
            requireReadable("--to-cert", chain);
            requireReadable("--to-key", key);
            require(
                    "--to-cert %s, --to-key %s: are no certificate and its key in PEM"
                            .formatted(chain, key),
                    tls -> tls.keyManager(chain.toFile(), key.toFile()));
            builder.tlsCustomizer(tls -> tls.keyManager(chain.toFile(), key.toFile()));
        }
        factory = builder.build();
        this.answerBytes = answerBytes;
    }

    private static void requireReadable(String option, Path file) {
        ConfigException.check(
                Files.isReadable(file), "%s %s: there is no such file to read", option, file);
    }

    private static void require(String refusal, Consumer<SslContextBuilder> given) {
        try {
            SslContextBuilder builder = SslContextBuilder.forClient();
            given.accept(builder);
            var unused = builder.build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new ConfigException(refusal + ": " + e.getMessage(), e);
        }
    }

    /** A loop for what is done at intervals. */
    EventLoop loop() {
        return factory.eventLoopGroup().next();
    }

    /** Sends a request; the answer ends with an exception where none comes in time. */
    HttpResponse call(RoutedReplica replica, HttpRequest request, long timeoutNs) {
        WebClient client =
                clients.computeIfAbsent(
                        replica.name(),
                        name ->
                                WebClient.builder(replica.address().url())
                                        .factory(factory)
                                        .maxResponseLength(answerBytes)
                                        .build());
        RequestOptions options =
                RequestOptions.builder()
                        .responseTimeoutMillis(Math.max(1, timeoutNs / 1_000_000))
                        .build();
        return client.execute(request, options);
    }

    /** The same for a request of a caller, which ends when its server is out. */
    HttpResponse callFor(RoutedReplica replica, HttpRequest request, long timeoutNs) {
        HttpResponse response = call(replica, request, timeoutNs);
        Set<HttpResponse> ofServer =
                underWay.computeIfAbsent(replica.name(), name -> ConcurrentHashMap.newKeySet());
        ofServer.add(response);
        CompletableFuture<Void> unused =
                response.whenComplete().whenComplete((done, thrown) -> ofServer.remove(response));
        return response;
    }

    /** Forgets servers that are not named; what is under way goes on. */
    void keepOnly(Set<String> names) {
        clients.keySet().retainAll(names);
        underWay.entrySet()
                .removeIf(each -> !names.contains(each.getKey()) && each.getValue().isEmpty());
    }

    /** How many servers it knows. */
    int known() {
        return clients.size();
    }

    /** Ends all calls to a server that answers no probes. */
    void breakOff(RoutedReplica replica) {
        Set<HttpResponse> ofServer = underWay.getOrDefault(replica.name(), Set.of());
        ofServer.forEach(HttpResponse::abort);
    }

    /** Whether a server could not be reached, so that it has seen nothing of the request. */
    static boolean isUnreachable(Throwable thrown) {
        return cause(thrown, ConnectException.class) != null
                || cause(thrown, UnknownHostException.class) != null
                || cause(thrown, SSLException.class) != null;
    }

    /**
     * In which way a probe got no answer. Whoever takes a connection and closes it, or answers in
     * another protocol, is no server of models, or none in its senses.
     */
    static Miss miss(Throwable thrown) {
        if (cause(thrown, ResponseTimeoutException.class) != null
                || cause(thrown, SessionProtocolNegotiationException.class) != null) {
            return Miss.LATE;
        }
        return cause(thrown, ConnectException.class) != null
                        || cause(thrown, UnknownHostException.class) != null
                ? Miss.UNREACHABLE
                : Miss.STRANGE;
    }

    /** What is the matter with a server, by what a call to it threw. */
    static String words(Throwable thrown) {
        if (cause(thrown, UnknownHostException.class) != null) {
            return "nobody knows its host";
        }
        if (cause(thrown, SslHandshakeTimeoutException.class) != null) {
            return "it does not answer in TLS";
        }
        SSLException tls = cause(thrown, SSLException.class);
        if (tls != null) {
            return "TLS fails: " + tlsWords(tls);
        }
        if (cause(thrown, ResponseTimeoutException.class) != null
                || cause(thrown, ConnectTimeoutException.class) != null) {
            return "it does not answer in time";
        }
        if (cause(thrown, SessionProtocolNegotiationException.class) != null) {
            return "it does not speak HTTP, or not in time";
        }
        if (cause(thrown, ConnectException.class) != null) {
            return "it cannot be reached (connection refused)";
        }
        if (cause(thrown, InvalidResponseException.class) != null
                || cause(thrown, ProtocolViolationException.class) != null) {
            return "it does not speak HTTP";
        }
        if (cause(thrown, ClosedStreamException.class) != null
                || cause(thrown, AbortedStreamException.class) != null
                || cause(thrown, IOException.class) != null) {
            return BROKE_OFF;
        }
        LOG.debug("a call failed", thrown);
        Throwable root = thrown;
        for (int i = 0; i < MOST_CAUSES && root.getCause() != null; i++) {
            root = root.getCause();
        }
        return "the connection failed (%s)"
                .formatted(
                        root.getMessage() == null
                                ? root.getClass().getSimpleName()
                                : root.getMessage());
    }

    private static String tlsWords(SSLException tls) {
        CertificateExpiredException old = cause(tls, CertificateExpiredException.class);
        if (old != null) {
            return "its certificate has expired (%s)".formatted(old.getMessage());
        }
        CertificateNotYetValidException early = cause(tls, CertificateNotYetValidException.class);
        if (early != null) {
            return "its certificate is not yet valid (%s)".formatted(early.getMessage());
        }
        return cause(tls, CertPathBuilderException.class) != null
                ? "its certificate is of an authority that is not known here: name it by --to-ca"
                : String.valueOf(tls.getMessage());
    }

    static <T extends Throwable> @Nullable T cause(Throwable thrown, Class<T> type) {
        Throwable at = thrown;
        for (int i = 0; i < MOST_CAUSES && at != null; i++) {
            if (type.isInstance(at)) {
                return type.cast(at);
            }
            at = at.getCause();
        }
        return null;
    }

    @Override
    public void close() {
        factory.close();
    }
}
