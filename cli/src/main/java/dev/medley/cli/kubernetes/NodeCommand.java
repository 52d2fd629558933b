package dev.medley.cli.kubernetes;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.agent.AgentRun;
import dev.medley.api.job.JobFile;
import dev.medley.api.job.Settings;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.base.time.Clock;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.cli.train.Interrupts;
import dev.medley.control.agent.AgentOptions;
import dev.medley.control.agent.AgentOptions.PortRange;
import dev.medley.control.agent.AgentOptions.Stay;
import dev.medley.kubernetes.run.JobAddress;
import dev.medley.kubernetes.run.OwnRun;
import dev.medley.kubernetes.run.ProgressSink;
import dev.medley.kubernetes.run.TrainerSink;
import dev.medley.net.tls.JoinCredentials;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes part in a gang of pods that all run the same command: the first one coordinates. */
@Command(
        name = "node",
        hidden = true,
        header = "Take part in a job as one of several pods; Kubeflow's Trainer starts it.")
public final class NodeCommand extends Options implements Callable<Integer> {
    /** Variable: which pod of its Indexed Job this is. */
    private static final String INDEX = "JOB_COMPLETION_INDEX";

    /** Variable: the job file's text, where none is named. */
    private static final String JOB = "MEDLEY_JOB";

    @Parameters(
            arity = "0..1",
            paramLabel = "JOB.yaml",
            description = "The job file (default: the text in the variable MEDLEY_JOB).")
    private @Nullable Path file;

    @Option(names = "--head", paramLabel = "HOST:PORT", required = true)
    private String head = "";

    @Option(names = "--credentials", paramLabel = "DIR", required = true)
    private Path credentials = Path.of("");

    @Option(names = "--work", paramLabel = "DIR", required = true)
    private Path work = Path.of("");

    @Option(names = "--runs", paramLabel = "DIR", required = true)
    private Path runs = Path.of("");

    @Option(names = "--uid", paramLabel = "UID", required = true)
    private String uid = "";

    @Option(names = "--resource", paramLabel = "NAMESPACE/NAME", required = true)
    private String resource = "";

    @Option(names = "--listen", paramLabel = "HOST", required = true)
    private String listen = "";

    @Option(names = "--name", paramLabel = "NAME", required = true)
    private String name = "";

    @Option(names = "--site", paramLabel = "NAME")
    private String site = "";

    @Option(
            names = {"-s", "--set"},
            paramLabel = "KEY=VALUE")
    private List<String> overrides = new ArrayList<>();

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public NodeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        String index = System.getenv().getOrDefault(INDEX, "");
        check(index.matches("\\d+"), "%s is '%s': a pod of an Indexed Job has it", INDEX, index);
        AgentRun agent = AgentRun.of(agentOptions(), terminal::say);
        if (!index.equals("0")) {
            try (Interrupts interrupts =
                    Interrupts.listen(terminal).saying("Leaving; again to leave now.")) {
                interrupts.runIs(agent::leave);
                return agent.run() ? ExitCode.DONE : ExitCode.INTERRUPTED;
            }
        }
        Thread here = new Thread(() -> serve(agent), "agent");
        here.setDaemon(true);
        here.start();
        List<ProgressSink> sinks = new ArrayList<>();
        TrainerSink.of(System.getenv()).ifPresent(sinks::add);
        OwnRun own = new OwnRun(runs, "TrainJob " + JobAddress.parse(resource), uid);
        int code = new PodCoordinator(terminal, own, sinks).run(this::job);
        here.join(10_000);
        return code;
    }

    private void serve(AgentRun agent) {
        try {
            agent.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ConfigException e) {
            terminal.say(String.valueOf(e.getMessage()));
        }
    }

    private JobSpec job() {
        String port = head.substring(head.lastIndexOf(':') + 1);
        // How many pods there are is not told to them: it begins with one, and the others join.
        Settings settings =
                Settings.NONE
                        .with("cluster.expect", 1, "medley node")
                        .with(Settings.of(overrides))
                        .with("cluster.listen", listen + ":" + port, "--listen")
                        .with("cluster.credentials", credentials.toString(), "--credentials");
        Path named = file;
        if (named != null) {
            return JobFile.read(named, settings).spec();
        }
        String text = System.getenv(JOB);
        if (text == null) {
            throw new ConfigException(
                    "give a job file as the argument, or its text as the variable " + JOB);
        }
        return JobFile.parse(JOB + ".yaml", text, work, settings).spec();
    }

    private AgentOptions agentOptions() {
        check(head.matches(".+:\\d{1,5}"), "--head %s: HOST:PORT is needed", head);
        int colon = head.lastIndexOf(':');
        String token = JoinCredentials.load(credentials, Clock.system()).token();
        return new AgentOptions(
                InetSocketAddress.createUnresolved(
                        head.substring(0, colon), Integer.parseInt(head.substring(colon + 1))),
                credentials.toAbsolutePath(),
                any -> token,
                name,
                site,
                null,
                null,
                PortRange.ANY,
                work.resolve("agent").toAbsolutePath(),
                false,
                Stay.UNTIL_DONE);
    }
}
