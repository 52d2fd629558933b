package dev.medley.training.worker;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.WorkerSettings;
import dev.medley.base.job.JobStart;
import dev.medley.base.job.Work;
import dev.medley.base.time.Clock;
import dev.medley.net.control.ControlServer;
import dev.medley.profile.system.Allowance;
import dev.medley.training.prediction.PredictionTask;
import dev.medley.worker.Task;
import dev.medley.worker.Worker;
import dev.medley.worker.survey.SurveyTask;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Starts a worker process: {@code WorkerMain HOST PORT LAUNCH}, with the run's secret in the
 * environment variable {@value ControlServer#SECRET_VARIABLE} and its job in {@value
 * JobStart#VARIABLE}. The terminal's interrupt is not for workers: the coordinator tells them what
 * to do.
 */
public final class WorkerMain {
    /** All that workers can do, by its name in a welcome. */
    public static final Map<String, Task.Opener> TASKS =
            Map.of(
                    Work.Gradient.NAME,
                    GradientTask.OPENER,
                    Work.Survey.NAME,
                    SurveyTask::open,
                    Work.Prediction.NAME,
                    PredictionTask::open);

    private static final Logger LOG = LoggerFactory.getLogger(WorkerMain.class);

    /** How long a worker that was asked to end waits for its command to end the run. */
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(1);

    private WorkerMain() {}

    /** Works until told to leave; exit status 0 if that is how it ended. */
    public static void main(String[] args) throws Exception {
        Allowance.atStart();
        Signal.handle(new Signal("INT"), SignalHandler.SIG_IGN);
        InetSocketAddress coordinator = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
        String token = System.getenv().getOrDefault(ControlServer.SECRET_VARIABLE, "");
        int launch = Integer.parseInt(args[2]);
        String there = System.getenv(WorkerSettings.VARIABLE);
        // Stopping a service, or closing a terminal, signals all of its processes.
        for (String signal : File.separatorChar == '/' ? List.of("TERM", "HUP") : List.of("TERM")) {
            // With an agent, that takes leave for both.
            Signal.handle(
                    new Signal(signal), there == null ? any -> endLater() : SignalHandler.SIG_IGN);
        }
        if (there != null) {
            leaveWithAgent();
        }
        WorkerSettings place =
                there == null ? WorkerSettings.HERE : Json.parse(there, WorkerSettings.class);
        Worker worker =
                new Worker(coordinator, token, launch, start(), place, TASKS, Clock.system());
        boolean inGoodOrder = worker.run();
        // Daemon threads of LibTorch may be busy: leave without waiting for them.
        Runtime.getRuntime().halt(inGoodOrder ? 0 : 1);
    }

    private static JobStart start() {
        String text = System.getenv(JobStart.VARIABLE);
        if (text == null) {
            throw new ConfigException(
                    JobStart.VARIABLE
                            + " is not set: workers are started by medley train or medley agent");
        }
        return JobStart.parse(text);
    }

    /** The command ends its run with a checkpoint, for which it needs its workers a while. */
    private static void endLater() {
        Thread end =
                new Thread(
                        () -> {
                            Clock clock = Clock.system();
                            long untilNs = clock.nowNs() + PATIENCE_NS;
                            while (clock.nowNs() < untilNs) {
                                LockSupport.parkNanos(untilNs - clock.nowNs());
                            }
                            LOG.warn("was asked to end, and its command did not end the run");
                            Runtime.getRuntime().halt(1);
                        },
                        "worker-end");
        end.setDaemon(true);
        end.start();
    }

    /** The input ends when the agent does, however it ends: a machine has no worker without one. */
    private static void leaveWithAgent() {
        Thread watch =
                new Thread(
                        () -> {
                            try {
                                while (System.in.read() >= 0) {}
                            } catch (IOException e) {
                                LOG.debug("the agent's pipe broke", e);
                            }
                            LOG.warn("the agent of this machine is gone: leaving at once");
                            Runtime.getRuntime().halt(1);
                        },
                        "agent-watch");
        watch.setDaemon(true);
        watch.start();
    }
}
