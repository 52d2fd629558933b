package dev.medley.api.world;

import dev.medley.api.job.JobFile;
import dev.medley.api.job.JobWorkers;
import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunOptions;
import dev.medley.base.job.JobSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds commands, their workers and the agents that join them in the test's JVM, each on threads of
 * its own and over sockets, as their processes would be. What is in a folder is the world's: runs,
 * caches and the folders of agents.
 *
 * <p>What only a process shows is tested with processes: SIGKILL and SIGSTOP, options and limits of
 * a JVM, native memory, the command line.
 */
public final class World implements AutoCloseable {
    private final Path folder;
    private final Path runs;
    private final List<AutoCloseable> open = new ArrayList<>();
    private Runnable atBegin = () -> {};

    /** Nobody is there yet. */
    public World(Path folder) {
        this(folder, folder.resolve("runs"));
    }

    /** The same with runs elsewhere. */
    World(Path folder, Path runs) {
        this.folder = folder;
        this.runs = runs;
    }

    /** What happens when a run to come has its folder, and no worker yet. */
    World whenARunBegins(Runnable does) {
        atBegin = does;
        return this;
    }

    /** Trains {@code job.yaml} of the folder, with these keys otherwise ({@code KEY=VALUE}). */
    public RunThread train(String... overrides) {
        return train(job(overrides), options());
    }

    /** Repeats the plans of a run. */
    public RunThread replay(Path run, String... overrides) {
        return train(job(overrides), options().replaying(run));
    }

    /** Goes on with a run. */
    public RunThread resume(Path run) {
        return train(JobRun.jobOf(run), options().resuming(run));
    }

    /** Goes on with a run on so many workers. */
    public RunThread resumeOn(int workers, Path run) {
        return train(JobWorkers.onWorkers(JobRun.jobOf(run), workers), options().resuming(run));
    }

    /** The job of the folder. */
    public JobSpec job(String... overrides) {
        return JobFile.read(folder.resolve("job.yaml"), List.of(overrides)).spec();
    }

    /** Where runs and caches of this world are. */
    public RunOptions options() {
        return RunOptions.in(runs, folder.resolve("cache"));
    }

    private RunThread train(JobSpec job, RunOptions options) {
        RunThread run = RunThread.start(job, options, atBegin);
        open.add(0, run);
        return run;
    }

    /** Starts an agent for one run, which joins this run when it listens. */
    public AgentThread agent(RunThread run, String name) {
        return agent(run, AgentThread.Join.as(name));
    }

    /** The same at a site, or behind a link, or with a certificate. */
    public AgentThread agent(RunThread run, AgentThread.Join join) {
        AgentThread agent = AgentThread.start(run.listening(), folder, join);
        open.add(agent);
        return agent;
    }

    /** Ends all that is left. */
    @Override
    public void close() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
    }
}
