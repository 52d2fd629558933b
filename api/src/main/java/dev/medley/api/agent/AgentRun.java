package dev.medley.api.agent;

import dev.medley.api.job.ComparedJob;
import dev.medley.api.job.JobFile;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.WorkerProcess;
import dev.medley.base.job.JobSpec;
import dev.medley.base.time.Clock;
import dev.medley.control.agent.Agent;
import dev.medley.control.agent.AgentOptions;
import dev.medley.control.agent.ServedJob;
import dev.medley.control.launcher.LocalWorkers;
import dev.medley.net.tls.JoinCredentials;
import dev.medley.profile.machine.KnownMachine;
import dev.medley.profile.machine.MachineProbe;
import dev.medley.store.file.WritableFolder;
import dev.medley.training.worker.WorkerMain;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Offers this machine to the runs of a coordinator: wires an agent to Medley's own worker. */
public final class AgentRun {
    private final Agent agent;
    private final AgentsHere here;

    private AgentRun(Agent agent, AgentsHere here) {
        this.agent = agent;
        this.here = here;
    }

    /**
     * An agent that has not begun.
     *
     * @param says what it sees, a sentence at a time; from several threads
     * @throws dev.medley.base.ConfigException if its folder cannot be written
     */
    public static AgentRun of(AgentOptions options, Consumer<String> says) {
        return of(options, null, null, says);
    }

    /** The same with workers that are started in another way than as processes. */
    public static AgentRun of(AgentOptions options, LocalWorkers workers, Consumer<String> says) {
        return of(options, null, workers, says);
    }

    /**
     * The same for runs of one job alone.
     *
     * @param job of this machine, with its class path here
     * @throws dev.medley.base.ConfigException if the agent's folder cannot be written, or a jar of
     *     the job is not there
     */
    public static AgentRun serving(JobFile job, AgentOptions options, Consumer<String> says) {
        job.requireClasses();
        ServedJob served = new ServedJob(job.spec(), job.file(), ComparedJob::terms);
        says.accept("serves %s (job %s) alone".formatted(job.file(), job.spec().name()));
        return of(options, served, null, says);
    }

    private static AgentRun of(
            AgentOptions options,
            @Nullable ServedJob served,
            @Nullable LocalWorkers workers,
            Consumer<String> says) {
        WritableFolder.require(options.folder(), 0);
        Clock clock = Clock.system();
        Path folder = options.credentials();
        MachineProbe probe = new MachineProbe(clock, options.folder(), List.of());
        // What is measured is of the machine: all agents here share it, and medley profile with
        // them.
        KnownMachine machine = new KnownMachine(probe, RunOptions.defaultCache(), clock);
        MachineLook look = new MachineLook(machine::look, says);
        AgentsHere here = AgentsHere.ofThisUser();
        Agent agent =
                new Agent(
                        options,
                        folder == null ? null : JoinCredentials.load(folder, clock).credentials(),
                        look,
                        served,
                        workers == null ? processes(here, look, says) : workers,
                        says,
                        clock);
        return new AgentRun(agent, here);
    }

    /**
     * Serves runs until it is asked to leave, or one of them.
     *
     * @return whether it ended as it was meant to; see {@link Agent#run}
     * @throws dev.medley.base.ConfigException if the coordinator refuses this machine, or has
     *     another job than the one that it serves
     */
    public boolean run() throws InterruptedException {
        try (here) {
            here.enter();
            return agent.run();
        }
    }

    /** Asks for the end: after the step under way; a second time: at once. From any thread. */
    public void leave() {
        agent.leave();
    }

    private static LocalWorkers processes(
            AgentsHere here, MachineLook look, Consumer<String> says) {
        return LocalWorkers.processes(
                job -> WorkerProcess.of(job, threads(job, here, look, says), WorkerMain.class));
    }

    private static int threads(
            JobSpec job, AgentsHere here, MachineLook look, Consumer<String> says) {
        if (job.cluster().threads() > 0) {
            return job.cluster().threads();
        }
        int threads = here.threads(look.cores());
        if (here.count() > 1) {
            says.accept(
                    "%d agents on this machine: %d thread%s for the worker of this one"
                            .formatted(here.count(), threads, threads == 1 ? "" : "s"));
        }
        return threads;
    }
}
