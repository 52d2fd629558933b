package dev.medley.cli.option;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.job.JobFile;
import dev.medley.api.job.JobWorkers;
import dev.medley.api.job.Settings;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JoinSpec;
import dev.medley.cli.terminal.Terminal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Holds the options that change what a job file says. */
public final class JobOptions {
    private static final String WORKERS_KEY = "cluster.workers=";

    @Option(
            names = {"-s", "--set"},
            paramLabel = "KEY=VALUE",
            description = "Override a key of the job file; may be repeated.")
    private List<String> overrides = new ArrayList<>();

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Processes; short for -s cluster.workers=N.")
    private @Nullable Integer workers;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description =
                    "Train on machines that join here (medley agent); short for -s"
                            + " cluster.listen=HOST:PORT.")
    private @Nullable String listen;

    @Option(
            names = "--interface",
            paramLabel = "NAME",
            description =
                    "Network interface on whose address machines join, in place of 0.0.0.0 in"
                            + " --listen.")
    private @Nullable String interfaceName;

    @Option(
            names = "--expect",
            paramLabel = "N",
            description = "Machines to begin with; short for -s cluster.expect=N.")
    private @Nullable Integer expect;

    @Option(
            names = "--credentials",
            paramLabel = "DIR",
            description =
                    "This machine's folder made by medley certs; short for -s"
                            + " cluster.credentials=DIR.")
    private @Nullable Path credentials;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "The cluster's join token, in place of that of --credentials; short for -s"
                            + " cluster.token_file=FILE.")
    private @Nullable Path tokenFile;

    /** Whether they change more than who computes. */
    public boolean changeMoreThanWorkers() {
        return overrides.stream().anyMatch(override -> !override.startsWith(WORKERS_KEY));
    }

    /**
     * The overrides, where nothing else was given: what says who computes is somebody else's then.
     *
     * @throws ConfigException if more was given
     */
    public List<String> settingsAlone() {
        check(
                workers == null
                        && listen == null
                        && interfaceName == null
                        && expect == null
                        && credentials == null
                        && tokenFile == null,
                "--workers, --listen, --interface, --expect, --credentials and --token-file say who"
                        + " computes here; with --on, --flavor does");
        return List.copyOf(overrides);
    }

    /** Whether any was given. */
    public boolean areGiven() {
        return !overrides.isEmpty()
                || workers != null
                || listen != null
                || interfaceName != null
                || expect != null
                || credentials != null
                || tokenFile != null;
    }

    /** The job of a recorded run, on as many workers and with machines that join as they say. */
    public JobSpec resumed(JobSpec recorded) {
        Integer wanted = workers;
        for (String override : overrides) {
            wanted = number(override.substring(WORKERS_KEY.length()));
        }
        check(
                wanted == null || expect == null,
                "--workers %s and --expect %s: both say how many to begin with; leave one of them"
                        + " out",
                wanted,
                expect);
        JoinSpec join = resumed(recorded.cluster().join());
        Integer count = expect == null ? wanted : expect;
        JobSpec counted = count == null ? recorded : JobWorkers.onWorkers(recorded, count);
        return Objects.equals(join, recorded.cluster().join())
                ? counted
                : JobWorkers.joining(counted, join);
    }

    /** Where machines join a run that is gone on with, if they did before or are to now. */
    private @Nullable JoinSpec resumed(@Nullable JoinSpec before) {
        if (before == null && listen == null) {
            String given = aboutMachines();
            check(
                    given == null,
                    "%s is about machines that join, and the workers of this run are processes of"
                            + " one machine: add --listen 0.0.0.0:7077, or leave it out",
                    given);
            return null;
        }
        JoinSpec join = before == null ? JoinSpec.at(Objects.requireNonNull(listen)) : before;
        String at = ListenAddress.of(listen == null ? join.listen() : listen, interfaceName);
        JoinSpec there = join.listeningAt(at);
        if (credentials != null) {
            there = there.withCredentials(credentials.toAbsolutePath().toString());
        }
        return tokenFile == null
                ? there
                : there.withTokenFile(tokenFile.toAbsolutePath().toString());
    }

    /** An option about machines that join, as it was given; null for none. */
    private @Nullable String aboutMachines() {
        if (expect != null) {
            return "--expect " + expect;
        }
        if (interfaceName != null) {
            return "--interface " + interfaceName;
        }
        if (tokenFile != null) {
            return "--token-file " + tokenFile;
        }
        return credentials == null ? null : "--credentials " + credentials;
    }

    private static Integer number(String text) {
        try {
            return Integer.valueOf(text.strip());
        } catch (NumberFormatException e) {
            throw new ConfigException(
                    "-s " + WORKERS_KEY + text + ": a number of workers is needed", e);
        }
    }

    /**
     * The job of this file under these options; the files that it names exist. Of data in place of
     * a job file it is the job that learns from them by default.
     */
    public JobSpec read(String file, DataOptions data, Terminal terminal) {
        JobFile job =
                data.areMeant(file)
                        ? read(all -> data.job(file, all, NamedData.shown(terminal)))
                        : readAnywhere(Path.of(file));
        terminal.endLive();
        job.requireFiles();
        return job.spec();
    }

    /** The same where the files that it names need not be. */
    public JobFile readAnywhere(Path file) {
        return read(all -> JobFile.read(file, all));
    }

    private JobFile read(Function<Settings, JobFile> reader) {
        Settings all = Settings.of(overrides);
        if (workers != null) {
            all = all.with("cluster.workers", workers, "--workers " + workers);
        }
        if (listen != null) {
            all = all.with("cluster.listen", listen, "--listen " + listen);
        }
        if (expect != null) {
            all = all.with("cluster.expect", expect, "--expect " + expect);
        }
        if (credentials != null) {
            String folder = credentials.toAbsolutePath().toString();
            all = all.with("cluster.credentials", folder, "--credentials " + credentials);
        }
        if (tokenFile != null) {
            String path = tokenFile.toAbsolutePath().toString();
            all = all.with("cluster.token_file", path, "--token-file " + tokenFile);
        }
        JobFile job = reader.apply(all);
        if (interfaceName != null) {
            String address = ListenAddress.of(listens(job.spec()), interfaceName);
            all = all.with("cluster.listen", address, "--interface " + interfaceName);
            job = reader.apply(all);
        }
        return job;
    }

    private String listens(JobSpec job) {
        JoinSpec join = job.cluster().join();
        if (join == null) {
            throw new ConfigException(
                    "--interface %s is about machines that join: add --listen 0.0.0.0:7077"
                            .formatted(interfaceName));
        }
        return join.listen();
    }
}
