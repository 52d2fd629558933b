package dev.medley.serving.http;

import static dev.medley.base.ConfigException.check;

import com.linecorp.armeria.common.TlsKeyPair;
import com.linecorp.armeria.server.ServerBuilder;
import dev.medley.base.ConfigException;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Says with which certificate a server speaks TLS.
 *
 * @param certificate chain in PEM
 * @param key of it, PKCS#8 in PEM
 * @param clients authority in PEM of which callers need a certificate; null where they need none
 */
public record ServeTls(Path certificate, Path key, @Nullable Path clients) {
    public ServeTls {
        requireFile("--tls-cert", certificate);
        requireFile("--tls-key", key);
        if (clients != null) {
            requireFile("--tls-clients", clients);
        }
        try { // Before a model is loaded.
            SslContext unused =
                    SslContextBuilder.forServer(certificate.toFile(), key.toFile()).build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new ConfigException(
                    "--tls-cert %s, --tls-key %s: are no certificate and its key in PEM: %s"
                            .formatted(certificate, key, e.getMessage()),
                    e);
        }
    }

    private static void requireFile(String option, Path file) {
        check(Files.isReadable(file), "%s %s: there is no such file to read", option, file);
    }

    void addTo(ServerBuilder builder) {
        builder.tls(TlsKeyPair.of(key.toFile(), certificate.toFile()));
        Path authority = clients;
        builder.tlsCustomizer(
                tls -> {
                    tls.protocols("TLSv1.3", "TLSv1.2");
                    if (authority != null) {
                        tls.trustManager(authority.toFile()).clientAuth(ClientAuth.REQUIRE);
                    }
                });
    }
}
