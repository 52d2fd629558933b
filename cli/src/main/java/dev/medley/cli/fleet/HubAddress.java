package dev.medley.cli.fleet;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.hub.client.HubClient;
import dev.medley.net.door.LocalTokens;
import dev.medley.net.tls.JoinCredentials;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Holds the options by which a command finds its hub. */
public final class HubAddress {
    static final String USUAL = "127.0.0.1:7070";

    @Option(
            names = "--hub",
            paramLabel = "HOST:PORT",
            description = "Where the hub listens (default: ${DEFAULT-VALUE}).")
    private String hub = USUAL;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "A token of the hub's tokens.json (default: what a hub of this user on this"
                            + " machine left).")
    private @Nullable Path tokenFile;

    @Option(
            names = "--credentials",
            paramLabel = "DIR",
            description =
                    "This machine's folder made by medley certs; needed where the hub is on"
                            + " another machine.")
    private @Nullable Path credentials;

    HubClient client() {
        return client(hub, tokenFile, credentials);
    }

    /** A client of the hub at an address. */
    public static HubClient client(
            String address, @Nullable Path tokenFile, @Nullable Path credentials) {
        InetSocketAddress at = parse(address);
        return new HubClient(
                address,
                token(at, tokenFile),
                credentials == null
                        ? null
                        : JoinCredentials.load(credentials, Clock.system())
                                .credentials()
                                .sides()
                                .context());
    }

    static InetSocketAddress parse(String address) {
        URI uri;
        try {
            uri = URI.create("http://" + address);
        } catch (IllegalArgumentException e) {
            throw new ConfigException("%s: give HOST:PORT".formatted(address), e);
        }
        ConfigException.check(
                uri.getHost() != null && uri.getPort() >= 0, "%s: give HOST:PORT", address);
        InetSocketAddress found = new InetSocketAddress(uri.getHost(), uri.getPort());
        ConfigException.check(!found.isUnresolved(), "%s: this host is not known", address);
        return found;
    }

    private static String token(InetSocketAddress at, @Nullable Path file) {
        try {
            if (file != null) {
                return Files.readString(file).strip();
            }
            String found = LocalTokens.ofThisUser().at(at);
            if (found == null) {
                throw new ConfigException(
                        "no hub of this user listens at %s:%d; start one with medley hub, or give"
                                        .formatted(at.getHostString(), at.getPort())
                                + " --hub and --token-file");
            }
            return found;
        } catch (IOException e) {
            throw new ConfigException(
                    "the hub's token cannot be read: %s".formatted(e.getMessage()), e);
        }
    }
}
