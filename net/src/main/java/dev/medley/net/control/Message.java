package dev.medley.net.control;

import static dev.medley.net.control.Bounds.amount;
import static dev.medley.net.control.Bounds.atLeast;
import static dev.medley.net.control.Bounds.atMost;
import static dev.medley.net.control.Bounds.sound;
import static dev.medley.net.control.Bounds.stepNumber;
import static dev.medley.net.control.Bounds.text;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.medley.base.Fault;
import dev.medley.base.Member;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.net.link.RelayedBytes;
import dev.medley.net.membership.PauseKind;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.View;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A message on a control connection: between a coordinator and a worker or an agent, or about
 * files. All sides are of one build of Medley, and find out by their first messages whether they
 * are. So another build can read these, too, as long as their common parts keep name and type: of
 * {@link Hello} and {@link Offer} the version and the sender, of {@link Hello} the job, of {@link
 * Present}, {@link Close} and {@link Dismissed} all.
 *
 * <p>Long because all that is said is here.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "type")
public sealed interface Message {
    /** Characters of a name: of a machine, a build, a job, a file. */
    int MOST_NAME = 4096;

    /** Bytes of one piece of a file. */
    int MOST_PIECE_BYTES = 16 << 20;

    /** Cores of one machine. */
    int MOST_CORES = 1 << 16;

    /** Files of one folder. */
    int MOST_FILES = 10_000;

    /** A message from a worker. */
    sealed interface FromWorker extends Message {}

    /** A message from a coordinator. */
    sealed interface FromCoordinator extends Message {}

    /** A message from an agent: a machine that offers itself for workers. */
    sealed interface FromAgent extends Message {}

    /** The first message of a sender; another build can read it, so that it can be refused. */
    sealed interface FirstWords extends Message {
        /** The build of Medley that the sender runs. */
        String version();
    }

    /** A message about files, on a connection of its own; asked and answered in order. */
    sealed interface AboutFiles extends Message {}

    /** A message that asks for files or brings them. */
    sealed interface FileRequest extends AboutFiles {}

    /** The answer to a {@link FileRequest}. */
    sealed interface FileAnswer extends AboutFiles {}

    /**
     * The first message of a worker.
     *
     * @param version the build of Medley; another is refused
     * @param job that it was started for, as a {@link dev.medley.base.job.JobIdentity} is written;
     *     another is refused
     * @param launch which start of a worker this is, as the launcher numbered it
     * @param processId for people and for crash reports
     */
    record Hello(String version, String job, int launch, long processId)
            implements FromWorker, FirstWords {
        public Hello {
            text("version", version, MOST_NAME);
            text("job", job, MOST_NAME);
            atLeast("processId", processId, 0);
        }
    }

    /**
     * Data and model are in place; from now on the worker can be a member.
     *
     * @param member how peers reach it
     * @param progress of the state it holds; a fresh worker holds none
     * @param startUpNs from the start of its process
     * @param tried what it takes to compute shares, measured before; empty if nobody asks
     * @param shards of the training samples that are on its machine; empty where samples have no
     *     place
     */
    record Ready(
            Member member,
            Progress progress,
            long startUpNs,
            List<Tried> tried,
            List<Integer> shards)
            implements FromWorker {
        public Ready {
            tried = List.copyOf(tried);
            shards = List.copyOf(shards);
            amount("startUpNs", startUpNs);
            shards.forEach(shard -> atLeast("shard", shard, 0));
            atLeast("dataPort", member.dataPort(), 0);
            atMost("dataPort", member.dataPort(), 65535);
            text("hostKey", member.hostKey(), MOST_NAME);
            text("site", member.site(), MOST_NAME);
            text("address", member.address(), MOST_NAME);
            text("kernelKey", member.kernelKey(), MOST_NAME);
            sound(progress);
        }
    }

    /**
     * Data and model are in place, and so many samples are tried next. A worker that runs out of
     * memory from here on has room for the model, but not for that many samples at once.
     */
    record Trying(int samples) implements FromWorker {
        public Trying {
            atLeast("samples", samples, 1);
        }
    }

    /** So many samples took so long, forward and backward. */
    record Tried(int samples, long ns) {
        public Tried {
            atLeast("samples", samples, 1);
            atLeast("ns", ns, 1);
            amount("ns", ns);
        }
    }

    /** The answer to a {@link Try}: the time that it took. */
    record TriedAlone(Tried tried) implements FromWorker {}

    /**
     * The answer to a {@link Probe}.
     *
     * @param why by worker id: empty for who can be dialled, else one sentence why not
     */
    record Probed(Map<Integer, String> why) implements FromWorker {
        public Probed {
            why = Map.copyOf(why);
        }
    }

    /**
     * A worker's machine grants it more or less than before. It goes on as it is until a group
     * forms of which it is a member with this key.
     *
     * @param kernelKey of its member from then on
     */
    record Resized(Granted before, Granted now, String kernelKey) implements FromWorker {
        public Resized {
            text("kernelKey", kernelKey, MOST_NAME);
        }
    }

    /**
     * What a machine grants a worker, and what the worker makes of it.
     *
     * @param cores worth of time
     * @param memoryBytes that it may use; {@link Long#MAX_VALUE} for no limit
     * @param threads that it computes with
     */
    record Granted(double cores, long memoryBytes, int threads) {
        public Granted {
            if (!(cores > 0) || cores > MOST_CORES) {
                throw new IllegalArgumentException(
                        "cores=%s: above 0, at most %d".formatted(cores, MOST_CORES));
            }
            atLeast("memoryBytes", memoryBytes, 1);
            atLeast("threads", threads, 1);
            atMost("threads", threads, MOST_CORES);
        }

        /** Cores' worth of time that threads can use up. */
        public double coresUsed() {
            return Math.min(cores, threads);
        }
    }

    /** A sign of life. */
    record Alive(long step) implements FromWorker {
        public Alive {
            stepNumber("step", step, -1);
        }
    }

    /**
     * The worker can no longer apply a step of the epoch.
     *
     * @param progress the last that it applied
     */
    record Sealed(int epoch, Progress progress) implements FromWorker {
        public Sealed {
            atLeast("epoch", epoch, 0);
            sound(progress);
        }
    }

    /** An exchange of the epoch ended in a fault; the worker waits to be sealed. */
    record Faulted(int epoch, long step, Fault fault) implements FromWorker {
        public Faulted {
            atLeast("epoch", epoch, 0);
            stepNumber("step", step, -1);
        }
    }

    /**
     * Figures of steps that were applied, a few times a second.
     *
     * @param steps in order
     * @param links what these steps sent to each other member; empty through shared memory
     * @param relayed what the worker handed on between others meanwhile
     */
    record Steps(
            int epoch, List<WorkerStep> steps, List<LinkBytes> links, List<RelayedBytes> relayed)
            implements FromWorker {
        public Steps {
            steps = List.copyOf(steps);
            links = List.copyOf(links);
            relayed = List.copyOf(relayed);
            atLeast("epoch", epoch, 1);
            relayed.forEach(each -> amount("relayed bytes", each.bytes()));
        }
    }

    /**
     * Something for the run's record that happened on a worker: an evaluation, a checkpoint, a
     * switch of precision.
     */
    record Noted(String kind, JsonNode value) implements FromWorker {
        public Noted {
            text("kind", kind, MOST_NAME);
        }
    }

    /**
     * Hash of the parameters after a step of the epoch; equal on all members, or replicas have
     * drifted.
     */
    record Hashed(int epoch, long step, String parameterHash) implements FromWorker {
        public Hashed {
            atLeast("epoch", epoch, 0);
            stepNumber("step", step, 0);
            text("parameterHash", parameterHash, MOST_NAME);
        }
    }

    /**
     * The worker has nothing left to do in this run: the budget is used up or a stop was decided,
     * and what it had to write is written. Its hash is null where it holds but a part.
     */
    record Finished(int epoch, long step, @Nullable String parameterHash, String why)
            implements FromWorker {
        public Finished {
            atLeast("epoch", epoch, 0);
            stepNumber("step", step, 0);
            if (parameterHash != null) {
                text("parameterHash", parameterHash, MOST_NAME);
            }
        }
    }

    /** The worker cannot continue and no other worker could: the run ends. */
    record Failed(FailureKind kind, String message) implements FromWorker {}

    /** The reason why a run fails. */
    enum FailureKind {
        /** The user's input or settings. */
        INPUT,
        /** A loss that is not a finite number: the same step would end the same way again. */
        UNSOUND,
        /** Memory of this machine. */
        OUT_OF_MEMORY,
        /** What this machine needs is out of its reach; others may go on. */
        CUT_OFF,
        /** A bug of Medley or of a user's class. */
        BUG;

        /** Whether the user can mend it: in the job, or in the data. */
        public boolean isOfInput() {
            return this == INPUT || this == UNSOUND;
        }
    }

    /**
     * Welcome to the run.
     *
     * @param worker the new worker's identity
     * @param heartbeatNs between two signs of life, both ways
     * @param peerTimeoutNs silence after which the other side counts as lost
     * @param trial how thoroughly to try how fast the worker is, if the assignment asks for that
     * @param work the name of what to work at
     * @param assignment of that work; its type belongs to the worker
     */
    record Welcome(
            WorkerId worker,
            long heartbeatNs,
            long peerTimeoutNs,
            TrialScope trial,
            String work,
            JsonNode assignment)
            implements FromCoordinator {
        public Welcome {
            text("work", work, MOST_NAME);
            atLeast("heartbeatNs", heartbeatNs, 1);
            atLeast("peerTimeoutNs", peerTimeoutNs, 1);
        }
    }

    /** The coordinator is alive, and has recorded the steps up to this one. */
    record Beat(long recordedStep) implements FromCoordinator {}

    /** Say which of these workers you can dial: some of them do not seem to reach each other. */
    record Probe(List<Member> members) implements FromCoordinator {
        public Probe {
            members = List.copyOf(members);
        }
    }

    /** End the step under way without applying it, and report. */
    record Seal(int epoch, String why) implements FromCoordinator {
        public Seal {
            atLeast("epoch", epoch, 0);
        }
    }

    /** End after a step that all members agree on, and report. */
    record Pause(int epoch, PauseKind kind, String why) implements FromCoordinator {
        public Pause {
            atLeast("epoch", epoch, 0);
        }
    }

    /**
     * Say how long so many samples take you now, forward and backward, without anybody else; to a
     * worker that is in no group.
     */
    record Try(int samples) implements FromCoordinator {
        public Try {
            atLeast("samples", samples, 1);
        }
    }

    /** The next group, and what to do in it. */
    record Form(View view) implements FromCoordinator {}

    /**
     * Leave.
     *
     * @param saveFirst whether to write a checkpoint before leaving
     * @param why for the log
     */
    record Close(boolean saveFirst, String why) implements FromCoordinator {}

    /**
     * The first message of an agent.
     *
     * @param version the build of Medley; another is refused
     * @param name of the machine, for people
     * @param site where it stands; empty if it was not said
     * @param wallMillis what its clock says
     * @param job the only one that it serves, null for any; its type belongs to agents and their
     *     coordinator
     * @param machine what it sees of itself; its type belongs to them too
     */
    record Offer(
            String version,
            String name,
            String site,
            long wallMillis,
            @Nullable JsonNode job,
            JsonNode machine)
            implements FromAgent, FirstWords {
        public Offer {
            text("version", version, MOST_NAME);
            text("name", name, MOST_NAME);
            text("site", site, MOST_NAME);
        }
    }

    /** A sign of life of an agent. */
    record Present() implements FromAgent {}

    /**
     * A worker's process on the agent's machine has ended.
     *
     * @param exitCode of the process; 128 + n if signal n ended it
     * @param lastWords end of its log
     * @param outOfMemory what to tell the user if the kernel killed it for want of memory; else
     *     empty
     */
    record Exited(int launch, int exitCode, String lastWords, String outOfMemory)
            implements FromAgent {}

    /** The machine has what a worker needs, and the worker's process has begun. */
    record Started(int launch) implements FromAgent {}

    /** The machine is wanted back: its worker is to leave after the step under way. */
    record Leaving(String why) implements FromAgent {}

    /**
     * The machine is part of the run.
     *
     * @param heartbeatNs between two signs of life, both ways
     * @param peerTimeoutNs silence after which the other side counts as lost
     */
    record Enlisted(String job, long heartbeatNs, long peerTimeoutNs) implements FromCoordinator {
        public Enlisted {
            atLeast("heartbeatNs", heartbeatNs, 1);
            atLeast("peerTimeoutNs", peerTimeoutNs, 1);
        }
    }

    /**
     * Start a worker.
     *
     * @param launch number that it says hello with
     * @param token secret of the run
     * @param work what it needs; its type belongs to agents and their coordinator
     */
    record Launch(int launch, String token, JsonNode work) implements FromCoordinator {
        public Launch {
            atLeast("launch", launch, 1);
            atLeast("characters of the token", token.length(), 1);
        }
    }

    /** End a worker's process at once. */
    record Kill(int launch) implements FromCoordinator {}

    /** The run does without this machine. */
    record Dismissed(DismissalKind kind, String why) implements FromCoordinator {}

    /** Whether an agent may come again. */
    enum DismissalKind {
        /** The run is over; the next may begin. */
        DONE,
        /** The run broke off; whoever goes on with it may come to the same place. */
        BROKEN_OFF,
        /** The agent cannot be used as it is: it would be refused again. */
        REFUSED
    }

    /** Send a stretch of a file. */
    record Fetch(String file, long offset, int bytes) implements FileRequest {
        public Fetch {
            text("file", file, MOST_NAME);
            atLeast("offset", offset, 0);
            atLeast("bytes", bytes, 0);
            atMost("bytes", bytes, MOST_PIECE_BYTES);
        }
    }

    /** The stretch that was asked for; shorter at the file's end. */
    record Piece(byte[] bytes) implements FileAnswer {}

    /** SHA-256 of a whole file. */
    record AskDigest(String file) implements FileRequest {}

    /** The digest that was asked for, in hex. */
    record Digest(String sha256) implements FileAnswer {}

    /**
     * Bytes of a file of a folder that is to be kept with the run; its files come piece by piece
     * from their beginnings.
     *
     * @param fileBytes of the whole file, announced with each piece
     */
    record Bring(String folder, String file, long fileBytes, long offset, byte[] bytes)
            implements FileRequest {
        public Bring {
            text("folder", folder, MOST_NAME);
            text("file", file, MOST_NAME);
            atLeast("offset", offset, 0);
            atMost("bytes", bytes.length, MOST_PIECE_BYTES);
            atMost("offset", offset, fileBytes - bytes.length);
        }
    }

    /**
     * All files of the folder were brought. Where what is kept by that name is of a later state, it
     * stays, and what was brought is left out.
     *
     * @param sha256 of each
     */
    record Keep(String folder, KeptState of, Map<String, String> sha256) implements FileRequest {
        public Keep {
            text("folder", folder, MOST_NAME);
            atMost("files", sha256.size(), MOST_FILES);
            sha256 = Map.copyOf(sha256);
        }
    }

    /** Whether a folder is kept: {@link Kept} if it is, {@link Refused} if not. */
    record AskKept(String folder) implements FileRequest {}

    /** The folder that was asked about is kept. */
    record Kept(KeptState of) implements FileAnswer {}

    /** The files that were brought have arrived, or are kept. */
    record Received() implements FileAnswer {}

    /** A request that cannot be done, with the reason. */
    record Refused(String why) implements FileAnswer {}
}
