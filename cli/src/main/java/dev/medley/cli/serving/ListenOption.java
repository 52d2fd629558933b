package dev.medley.cli.serving;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.JoinSpec;
import dev.medley.serving.http.CallerTokens;
import dev.medley.serving.http.ServeCallers;
import dev.medley.serving.http.ServeSocket;
import dev.medley.serving.http.ServeTls;
import dev.medley.serving.oidc.OidcCallers;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Holds the options of where a server listens, in TLS or not, and who may ask. */
final class ListenOption {
    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where it is reached (default: ${DEFAULT-VALUE}).")
    private String listen = "127.0.0.1:8080";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "The port alone, on this machine; 0 for any free one.")
    private @Nullable Integer port;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "Certificate chain in PEM: TLS in place of plain HTTP.")
    private @Nullable Path certificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "Its key, PKCS#8 in PEM.")
    private @Nullable Path key;

    @Option(
            names = "--tls-clients",
            paramLabel = "FILE",
            description = "Authority in PEM of which callers need a certificate.")
    private @Nullable Path clients;

    @Option(
            names = "--plain",
            description = "Others reach it without TLS, as behind a proxy that speaks it.")
    private boolean isPlain;

    @Option(
            names = "--tokens",
            paramLabel = "FILE",
            description = "Who may ask: a name and a token on each line (default: everybody).")
    private @Nullable Path tokens;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Requests a second of one caller (default: no bound).")
    private double rate = Double.POSITIVE_INFINITY;

    /** Who may ask; {@code oidc} knows the tokens of an issuer, null for none. */
    ServeCallers callers(@Nullable OidcCallers oidc) {
        return new ServeCallers(tokens == null ? null : CallerTokens.read(tokens), oidc, rate);
    }

    /** Where it listens. */
    ServeSocket socket() {
        ServeTls tls = tls();
        if (port != null) {
            return ServeSocket.at("127.0.0.1", port, tls);
        }
        boolean isAnyPort = listen.endsWith(":0");
        JoinSpec at = isAnyPort ? null : JoinSpec.at(listen);
        ServeSocket socket =
                at == null
                        ? ServeSocket.at(listen.substring(0, listen.length() - 2), 0, tls)
                        : ServeSocket.at(at.host(), at.port(), tls);
        check(
                socket.address().isLoopbackAddress() || tls != null || isPlain,
                "--listen %s can be reached from other machines: give --tls-cert and --tls-key, or"
                        + " --plain behind a proxy that speaks TLS",
                listen);
        return socket;
    }

    private @Nullable ServeTls tls() {
        Path chain = certificate;
        Path own = key;
        check(
                (chain == null) == (own == null),
                "--tls-cert and --tls-key belong together: give both");
        check(clients == null || chain != null, "--tls-clients needs --tls-cert and --tls-key");
        return chain == null || own == null ? null : new ServeTls(chain, own, clients);
    }

    /** The root of a server that listens there. */
    static String root(ServeSocket socket, InetSocketAddress at) {
        String host = at.getAddress().getHostAddress();
        return (socket.tls() == null ? "http://" : "https://")
                + (host.contains(":") ? "[" + host + "]" : host)
                + ":"
                + at.getPort();
    }
}
