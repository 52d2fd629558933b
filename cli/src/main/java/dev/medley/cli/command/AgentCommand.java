package dev.medley.cli.command;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.agent.AgentRun;
import dev.medley.api.job.JobFile;
import dev.medley.api.job.Settings;
import dev.medley.base.ConfigException;
import dev.medley.base.Member;
import dev.medley.base.job.JoinSpec;
import dev.medley.base.time.Clock;
import dev.medley.cli.fleet.HubOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.cli.train.Interrupts;
import dev.medley.control.agent.AgentOptions;
import dev.medley.control.agent.AgentOptions.PortRange;
import dev.medley.control.agent.AgentOptions.Stay;
import dev.medley.control.agent.AgentOptions.TokenSource;
import dev.medley.hub.agent.FleetAgent;
import dev.medley.hub.agent.FleetAgentOptions;
import dev.medley.hub.agent.MachineOffer;
import dev.medley.net.door.Interfaces;
import dev.medley.net.door.LocalTokens;
import dev.medley.net.tls.JoinCredentials;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Offers this machine as a worker. */
@Command(
        name = "agent",
        header = "Offer this machine to training runs as a worker.",
        description = {
            "",
            "Joins the coordinator at HOST:PORT (medley train JOB.yaml --listen HOST:PORT --expect"
                    + " N),",
            "fetches what a worker needs, starts it, and waits for the next run when one is over."
                    + " No",
            "coordinator there yet: it waits for one. Ctrl-C or SIGTERM: its worker leaves after"
                    + " the",
            "step under way, so that nothing is computed twice; a second time: at once.",
            "",
            "With --job this machine serves runs of that job alone: give it the run's job file, the"
                    + " jars",
            "beside it, and the settings (-s) that the run has. Another job is refused, and the"
                    + " first key",
            "that differs is named. Where machines join, how many, and where data lies may differ."
        },
        footer = {
            "",
            "Examples:",
            "  medley agent --join 127.0.0.1:7077",
            "  medley agent --join trainer.example:7077 --site aws --credentials certs/gpu-1",
            "  medley agent --join 127.0.0.1:7077 --job examples/quickstart.yaml",
            "  medley agent --join trainer.example:7077 --credentials certs/gpu-1",
            "    --job job.yaml -s train.batch=256",
            "  medley agent --join 10.0.0.5:7077 --credentials certs/gpu-1 --ports 7100-7110",
            "    --advertise 203.0.113.7"
        })
public final class AgentCommand extends Options implements Callable<Integer> {
    @Option(
            names = "--join",
            paramLabel = "HOST:PORT",
            description = "Where the coordinator of a run listens; or give --hub.")
    private @Nullable String join;

    @Option(
            names = "--hub",
            paramLabel = "HOST:PORT",
            description = "Stay with the hub that listens there, and serve the runs that it names.")
    private @Nullable String hub;

    @Option(
            names = "--type",
            paramLabel = "WORD",
            description =
                    "With --hub: what machines like this one are called (default: processor, cores"
                            + " and GPU).")
    private @Nullable String type;

    @Option(
            names = "--price",
            paramLabel = "AMOUNT",
            description = "With --hub: what an hour of this machine costs.")
    private double price = -1;

    @Option(names = "--spot", description = "With --hub: this machine may be taken away.")
    private boolean isSpot;

    @Option(
            names = "--warning-file",
            paramLabel = "FILE",
            description =
                    "With --hub: appears when the machine is about to be taken away, and holds the"
                            + " seconds that are left.")
    private @Nullable Path warning;

    @Option(
            names = "--wait-s",
            paramLabel = "S",
            description =
                    "With --hub: end with code 2 where no hub is there for so many seconds, while"
                            + " it serves nothing (default: it waits).")
    private @Nullable Double waitS;

    @Option(
            names = "--site",
            paramLabel = "NAME",
            description = "Where this machine stands: machines of one site have good links.")
    private String site = "";

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "What this machine is called (default: its host name).")
    private @Nullable String name;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "The cluster's join token (default: that of --credentials, or the one that the"
                            + " command on this machine left for its user).")
    private @Nullable Path tokenFile;

    @Option(
            names = "--credentials",
            paramLabel = "DIR",
            description =
                    "This machine's folder made by medley certs; needed unless the coordinator is"
                            + " on this machine.")
    private @Nullable Path credentials;

    @Option(
            names = "--advertise",
            paramLabel = "HOST",
            description =
                    "How other workers reach this machine (default: the address on which its worker"
                            + " listens).")
    private @Nullable String advertise;

    @Option(
            names = "--interface",
            paramLabel = "NAME",
            description =
                    "Network interface on which its worker listens, and whose address others are"
                            + " told (default: the one towards the coordinator).")
    private @Nullable String interfaceName;

    @Option(
            names = "--behind-nat",
            description =
                    "Other machines cannot connect to this one: its worker connects to theirs, and"
                            + " to those of the same kind through one of them.")
    private boolean isBehindNat;

    @Option(
            names = "--ports",
            paramLabel = "A-B",
            description = "Ports that its worker may listen on (default: any free one).")
    private @Nullable String ports;

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "For fetched files and logs (default: ~/.cache/medley/agent).")
    private Path folder = Path.of(System.getProperty("user.home"), ".cache", "medley", "agent");

    @Option(
            names = "--copy-files",
            description =
                    "Fetch files also where this machine sees them under the coordinator's path, as"
                            + " on a slow shared file system.")
    private boolean copies;

    @Option(
            names = "--job",
            paramLabel = "JOB.yaml",
            description = "Serve runs of this job alone (default: any that comes).")
    private @Nullable Path job;

    @Option(
            names = {"-s", "--set"},
            paramLabel = "KEY=VALUE",
            description = "With --job: override a key of the job file; may be repeated.")
    private List<String> overrides = new ArrayList<>();

    @Option(
            names = "--once",
            description =
                    "End after one run; exit code 1 if it did not take this machine, or broke off.")
    private boolean once;

    @Option(
            names = "--until-done",
            description =
                    "End when a run is done or failed; wait again where it broke off. For what"
                            + " starts agents by itself: exit code 130 if it had to leave before.")
    private boolean untilDone;

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public AgentCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        check(
                (join == null) != (hub == null),
                "an agent needs --join HOST:PORT of a run, or --hub HOST:PORT: one of them");
        String at = join == null ? String.valueOf(hub) : join;
        AgentOptions options =
                new AgentOptions(
                        address(at),
                        credentials == null ? null : credentials.toAbsolutePath(),
                        token(),
                        name == null ? hostName() : name,
                        site,
                        interfaceName == null
                                ? null
                                : Interfaces.ofThisMachine().address("--interface", interfaceName),
                        advertised(),
                        range(),
                        folder.toAbsolutePath(),
                        copies,
                        stay());
        if (hub != null) {
            return stay(at, options);
        }
        JobFile only = only(at);
        AgentRun agent =
                only == null
                        ? AgentRun.of(options, terminal::say)
                        : AgentRun.serving(only, options, terminal::say);
        try (Interrupts interrupts =
                Interrupts.listen(terminal).saying("Leaving; Ctrl-C again to leave now.")) {
            interrupts.runIs(agent::leave);
            if (agent.run()) {
                return ExitCode.DONE;
            }
            return untilDone ? ExitCode.INTERRUPTED : ExitCode.FAILED;
        }
    }

    private Stay stay() {
        check(!once || !untilDone, "--once and --until-done contradict: give one of them");
        return once ? Stay.ONE_RUN : untilDone ? Stay.UNTIL_DONE : Stay.RUN_AFTER_RUN;
    }

    private @Nullable JobFile only(String at) {
        if (job == null) {
            check(
                    overrides.isEmpty(),
                    "-s %s changes a job file: name it with --job",
                    overrides.isEmpty() ? "" : overrides.get(0));
            return null;
        }
        // The command may say that machines join, not the file.
        Settings joined = Settings.NONE.with("cluster.listen", at, "--join " + at);
        return JobFile.read(job, joined.with(Settings.of(overrides)));
    }

    private @Nullable String advertised() {
        check(
                !isBehindNat || advertise == null,
                "--behind-nat and --advertise %s contradict: either others connect to this machine,"
                        + " or it connects to them",
                advertise);
        return isBehindNat ? Member.NOT_DIALLED : advertise;
    }

    private int stay(String at, AgentOptions options) throws InterruptedException {
        check(
                job == null && overrides.isEmpty() && !once && !untilDone,
                "--hub serves whatever runs the hub names: leave out --job, -s, --once and"
                        + " --until-done");
        FleetAgent agent =
                new FleetAgent(
                        () -> HubOption.agentClient(at, tokenFile, credentials),
                        options.coordinator().getHostString(),
                        new FleetAgentOptions(
                                options,
                                new MachineOffer(type, isSpot, price),
                                warning,
                                waitS == null ? Double.POSITIVE_INFINITY : waitS),
                        terminal::say,
                        Clock.system());
        try (Interrupts interrupts =
                Interrupts.listen(terminal).saying("Leaving; Ctrl-C again to leave now.")) {
            interrupts.runIs(agent::leave);
            agent.run();
            return ExitCode.DONE;
        }
    }

    private static InetSocketAddress address(String given) {
        try {
            JoinSpec at = JoinSpec.at(given);
            return InetSocketAddress.createUnresolved(at.host(), at.port());
        } catch (ConfigException e) {
            String why = String.valueOf(e.getMessage());
            throw new ConfigException(why.replace("cluster.listen=", "--join or --hub "), e);
        }
    }

    private TokenSource token() {
        if (tokenFile != null && hub == null) {
            String given = JoinCredentials.readToken(tokenFile);
            return any -> given;
        } else if (credentials != null) {
            String clusters = JoinCredentials.load(credentials, Clock.system()).token();
            return any -> clusters;
        }
        return LocalTokens.ofThisUser()::at;
    }

    private PortRange range() {
        if (ports == null) {
            return PortRange.ANY;
        }
        check(
                ports.matches("\\d{1,5}(-\\d{1,5})?"),
                "--ports %s: a range is needed, as in 7100-7110",
                ports);
        String[] ends = ports.split("-", 2);
        int first = Integer.parseInt(ends[0]);
        return new PortRange(first, ends.length == 1 ? first : Integer.parseInt(ends[1]));
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unnamed";
        }
    }
}
