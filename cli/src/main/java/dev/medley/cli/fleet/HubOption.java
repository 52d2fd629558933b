package dev.medley.cli.fleet;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.hub.client.HubAddress;
import dev.medley.hub.client.HubClient;
import dev.medley.net.tls.Credentials;
import dev.medley.net.tls.JoinCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Holds the options by which a command finds its hub. */
public final class HubOption {
    static final String USUAL = "127.0.0.1:" + HubAddress.USUAL_PORT;

    private static final Pattern TOKEN = Pattern.compile("[0-9a-f]{64}");

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
        HubAddress at = HubAddress.parse(address);
        Credentials own =
                credentials == null
                        ? null
                        : JoinCredentials.load(credentials, Clock.system()).credentials();
        return tokenFile == null
                ? HubClient.ofThisUser(at, own)
                : HubClient.to(at, read(tokenFile), own);
    }

    /** The same for an agent, which may show the join token of its credentials. */
    public static HubClient agentClient(
            String address, @Nullable Path tokenFile, @Nullable Path credentials) {
        if (tokenFile != null || credentials == null) {
            return client(address, tokenFile, credentials);
        }
        JoinCredentials own = JoinCredentials.load(credentials, Clock.system());
        return HubClient.to(HubAddress.parse(address), own.token(), own.credentials());
    }

    private static String read(Path file) {
        try {
            String token = Files.readString(file).strip();
            ConfigException.check(
                    TOKEN.matcher(token).matches(),
                    "%s holds no token of a hub, which is 64 hexadecimal digits: medley hub token"
                            + " makes one",
                    file);
            return token;
        } catch (IOException e) {
            throw new ConfigException(
                    "%s: the hub's token cannot be read there (%s)".formatted(file, e.getMessage()),
                    e);
        }
    }
}
