package dev.medley.hub.http;

import com.linecorp.armeria.server.ServerBuilder;
import dev.medley.net.tls.Credentials;
import io.netty.handler.ssl.ClientAuth;

/** Secures connections with certificates on both sides, of one cluster. */
public record HubTls(Credentials credentials) {
    void secure(ServerBuilder builder) {
        builder.tls(credentials.sides().own())
                .tlsCustomizer(
                        context ->
                                context.trustManager(credentials.sides().trusted())
                                        .clientAuth(ClientAuth.REQUIRE));
    }
}
