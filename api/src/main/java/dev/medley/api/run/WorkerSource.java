package dev.medley.api.run;

import dev.medley.api.job.ComparedJob;
import dev.medley.base.ConfigException;
import dev.medley.base.Version;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JobTerms;
import dev.medley.base.job.JoinSpec;
import dev.medley.base.time.Clock;
import dev.medley.control.agent.ServedJob;
import dev.medley.control.coordinator.Coordinator;
import dev.medley.control.files.PinnedCheckpoints;
import dev.medley.control.files.RunFiles;
import dev.medley.control.files.Shipment;
import dev.medley.control.launcher.Launcher;
import dev.medley.control.launcher.Launching;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.door.LocalTokens;
import dev.medley.net.tls.CipherWarmUp;
import dev.medley.net.tls.JoinCredentials;
import dev.medley.record.folder.RunFolder;
import dev.medley.training.worker.Assignment;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says how a coordinator starts workers, and opens the door where they connect.
 *
 * @param launching how they are started
 * @param door where they connect
 * @param joinTimeoutNs longest wait for machines
 */
record WorkerSource(Launching launching, Coordinator.Door door, long joinTimeoutNs) {
    /** Workers of this machine. */
    static WorkerSource ofThisMachine(Launcher local, String secret) {
        return new WorkerSource(
                new Launching.ByLauncher(local),
                handler -> ControlServer.onLoopback(JoinSecret.ofRun(secret), handler),
                Long.MAX_VALUE);
    }

    /** Machines that agents offer. */
    static WorkerSource ofAgents(
            JobSpec job, String secret, RunFolder folder, Assignment assignment) {
        List<Shipment> lasting = lasting(assignment);
        JobTerms terms = ServedJob.ofRun(job, lasting, ComparedJob::terms);
        return ofAgents(job, terms, secret, folder, lasting);
    }

    /**
     * Machines that agents offer.
     *
     * @param asked what machines have to agree about
     * @param lasting files that every worker needs, however far the run has come
     */
    static WorkerSource ofAgents(
            JobSpec job, JobTerms asked, String secret, RunFolder folder, List<Shipment> lasting) {
        JoinSpec join = Objects.requireNonNull(job.cluster().join());
        PinnedCheckpoints checkpoints =
                new PinnedCheckpoints(folder.checkpoints(), job.checkpoint().keep());
        RunFiles files = new RunFiles(folder.path(), checkpoints::kept);
        ClusterSpec c = job.cluster();
        JoinCredentials own = credentials(join);
        if (own != null) {
            CipherWarmUp.begin(); // The first to need it has still to come.
        }
        Launching.Terms terms =
                new Launching.Terms(Version.build(), asked, c.heartbeatNs(), c.peerTimeoutNs());
        lasting.forEach(files::give);
        Launching agents =
                new Launching.OnAgents(
                        terms, new RunNeeds(folder.name(), job, lasting, checkpoints, files));
        return new WorkerSource(
                agents,
                handler -> door(join, own, secret, files.before(handler)),
                join.timeoutNs());
    }

    /**
     * Agents show the cluster's token; where none was given, one is left for those of this user.
     */
    private static ControlServer door(
            JoinSpec join,
            @Nullable JoinCredentials own,
            String secret,
            ControlConnection.Handler handler)
            throws IOException {
        String given = token(join, own);
        String token = given == null ? ControlServer.secret() : given;
        ControlServer server =
                ControlServer.listen(
                        new InetSocketAddress(join.host(), join.port()),
                        own == null ? null : own.credentials(),
                        List.of(JoinSecret.ofRun(secret), JoinSecret.ofCluster(token)),
                        handler);
        if (given != null) {
            return server;
        }
        try {
            return server.closingFirst(LocalTokens.ofThisUser().leave(server.address(), token));
        } catch (ConfigException e) {
            server.close();
            throw e;
        }
    }

    /**
     * Looks whether agents can be heard, before anything is prepared for them.
     *
     * @throws ConfigException if there are no credentials or no token where the job says, or nobody
     *     can listen there
     */
    static void requireDoor(ClusterSpec cluster) {
        JoinSpec join = cluster.join();
        if (join == null) {
            return;
        }
        JoinCredentials own = credentials(join);
        String given = token(join, own);
        if (given == null) {
            LocalTokens.ofThisUser().requireUsable();
        }
        ControlServer.requireFree(
                new InetSocketAddress(join.host(), join.port()),
                own == null ? null : own.credentials());
    }

    private static @Nullable JoinCredentials credentials(JoinSpec join) {
        String folder = join.credentials();
        return folder == null ? null : JoinCredentials.load(Path.of(folder), Clock.system());
    }

    /** The token of the cluster; null where none was given. */
    private static @Nullable String token(JoinSpec join, @Nullable JoinCredentials own) {
        String file = join.tokenFile();
        if (file != null) {
            return JoinCredentials.readToken(Path.of(file));
        }
        return own == null ? null : own.token();
    }

    /** What is needed however far the run has come. */
    private static List<Shipment> lasting(Assignment assignment) {
        List<Shipment> shipments = new ArrayList<>();
        Shipment data = DataShipment.of(assignment.data(), assignment.job().cluster().join());
        if (data != null) {
            shipments.add(data);
        }
        if (assignment.initialWeights() != null) {
            shipments.add(Shipment.ofContent(Path.of(assignment.initialWeights().model())));
        }
        for (String path : assignment.job().ownFiles()) {
            shipments.add(Shipment.ofContent(Path.of(path)));
        }
        return shipments;
    }
}
