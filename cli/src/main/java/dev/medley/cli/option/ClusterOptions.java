package dev.medley.cli.option;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.job.JoinSpec;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Holds the options of a command that measures machines that join, instead of this one. */
public final class ClusterOptions {
    @Option(
            names = "--cluster",
            description =
                    "Look at machines that join here (medley agent) and at the ways between them.")
    private boolean cluster;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "With --cluster: where they join.")
    private @Nullable String listen;

    @Option(
            names = "--interface",
            paramLabel = "NAME",
            description =
                    "With --cluster: network interface on whose address they join, in place of"
                            + " 0.0.0.0 in --listen.")
    private @Nullable String interfaceName;

    @Option(
            names = "--expect",
            paramLabel = "N",
            description = "With --cluster: how many machines.")
    private @Nullable Integer expect;

    @Option(
            names = "--credentials",
            paramLabel = "DIR",
            description = "With --cluster: this machine's folder made by medley certs.")
    private @Nullable Path credentials;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "With --cluster: the join token (default: that of --credentials).")
    private @Nullable Path tokenFile;

    /** Whether the cluster is meant; the other options are an error without. */
    public boolean isMeant() {
        check(
                cluster
                        || listen == null
                                && interfaceName == null
                                && expect == null
                                && credentials == null
                                && tokenFile == null,
                "--listen, --interface, --expect, --credentials and --token-file are about machines"
                        + " that join: add --cluster");
        return cluster;
    }

    /** Where machines join; complains about what is missing. */
    public JoinSpec join() {
        String at = listen;
        if (at == null) {
            throw new ConfigException(
                    "--cluster needs --listen HOST:PORT, as in --listen 0.0.0.0:7077");
        }
        JoinSpec usual = JoinSpec.at(ListenAddress.of(at, interfaceName));
        return new JoinSpec(
                usual.listen(),
                usual.timeoutNs(),
                usual.sendBytes(),
                credentials == null ? null : credentials.toAbsolutePath().toString(),
                tokenFile == null ? null : tokenFile.toAbsolutePath().toString(),
                usual.encrypt(),
                usual.dataStore(),
                JoinSpec.Begin.ALL);
    }

    /** How many machines join. */
    public int machines() {
        Integer wanted = expect;
        if (wanted == null) {
            throw new ConfigException("--cluster needs --expect N: how many machines join");
        }
        return wanted;
    }
}
