package dev.medley.cli.fleet;

import dev.medley.base.time.Clock;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.fleet.catalog.Policies;
import dev.medley.fleet.cost.EgressPrices;
import dev.medley.fleet.hub.HubRules;
import dev.medley.hub.EgressFile;
import dev.medley.hub.Hub;
import dev.medley.hub.HubOptions;
import dev.medley.hub.SharesFile;
import dev.medley.hub.client.HubAddress;
import dev.medley.hub.http.HubServer;
import dev.medley.hub.http.HubSocket;
import dev.medley.hub.http.HubTokens;
import dev.medley.net.tls.Credentials;
import dev.medley.net.tls.JoinCredentials;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import sun.misc.Signal;

/** Runs a hub: many jobs on the machines that join it. */
@Command(
        name = "hub",
        header = "Run many jobs on machines that differ: a queue, a policy, a page.",
        description = {
            "",
            "Machines join with 'medley agent --hub' and stay; jobs come with 'medley submit'."
                    + " Each",
            "job is a process of its own, which goes on while the hub is down; a hub that is"
                    + " killed",
            "and started again goes on with every job. All that it keeps lies in its folder."
        },
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Examples:",
            "  medley hub",
            "  medley hub --policy fifo_fastest",
            "  medley hub --listen 0.0.0.0:7070 --host 10.0.0.5 --credentials certs/hub",
            "  medley hub page",
            "  medley hub token ada > ada.token"
        })
public final class HubCommand extends Options implements Callable<Integer> {
    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where it is reached (default: ${DEFAULT-VALUE}).")
    private String listen = HubOption.USUAL;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            description =
                    "How machines reach this one, where runs listen (default: that of --listen).")
    private @Nullable String host;

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "For all that it keeps (default: ${DEFAULT-VALUE}).")
    private Path folder = Path.of("hub");

    @Option(
            names = "--policy",
            paramLabel = "WORD",
            description = "Who runs where: see docs/scheduling.md (default: ${DEFAULT-VALUE}).")
    private String policy = Policies.DEFAULT;

    @Option(
            names = "--round",
            paramLabel = "SECONDS",
            description = "Between two decisions where nothing happens (default: 60).")
    private double roundS = HubRules.DEFAULTS.roundS();

    @Option(
            names = "--credentials",
            paramLabel = "DIR",
            description =
                    "This machine's folder made by medley certs; needed to be reached by others.")
    private @Nullable Path credentials;

    @Option(
            names = "--shares",
            paramLabel = "FILE",
            description = "Weights, quotas and reservations of groups: see docs/fleet.md.")
    private @Nullable Path shares;

    @Option(
            names = "--egress",
            paramLabel = "FILE",
            description = "What it costs to bring data to sites: see docs/fleet.md.")
    private @Nullable Path egress;

    private final Terminal terminal;

    private HubCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** With its subcommands, which print to {@code terminal}. */
    public static CommandLine line(Terminal terminal) {
        return new CommandLine(new HubCommand(terminal))
                .addSubcommand(new HubPageCommand(terminal))
                .addSubcommand(new HubTokenCommand(terminal));
    }

    @Override
    public Integer call() throws InterruptedException {
        JoinCredentials own =
                credentials == null ? null : JoinCredentials.load(credentials, Clock.system());
        HubSocket socket = socket(own == null ? null : own.credentials());
        HubRules usual = HubRules.DEFAULTS;
        HubOptions options =
                new HubOptions(
                        folder.toAbsolutePath(),
                        host == null ? socket.address().getHostAddress() : host,
                        credentials == null ? null : credentials.toAbsolutePath(),
                        Policies.inHub(Policies.named(policy)),
                        new HubRules(
                                roundS,
                                usual.settleS(),
                                usual.silenceS(),
                                usual.attempts(),
                                shares == null ? null : SharesFile.read(shares),
                                egress == null ? EgressPrices.NONE : EgressFile.read(egress)),
                        jobCommand());
        CountDownLatch end = new CountDownLatch(1);
        for (String signal : List.of("INT", "TERM")) {
            Signal.handle(new Signal(signal), s -> end.countDown());
        }
        try (Hub hub = Hub.open(options, Clock.system());
                HubServer server = HubServer.open(hub, tokens(options.folder(), own), socket)) {
            terminal.say(
                    "the hub listens at %s:%d, decides by %s, and keeps all in %s"
                            .formatted(
                                    socket.address().getHostAddress(),
                                    server.address().getPort(),
                                    policy,
                                    folder));
            terminal.say(
                    "its page: %s (the link is good once, for 15 minutes; medley hub page gives another)"
                            .formatted(server.pageLink(options.host())));
            end.await();
            terminal.say("the hub ends; its jobs go on, and it finds them when it is back");
        }
        return ExitCode.DONE;
    }

    /** Machines of the cluster need no token but that by which they join. */
    private static HubTokens tokens(Path folder, @Nullable JoinCredentials own) {
        HubTokens tokens = HubTokens.open(folder);
        return own == null ? tokens : tokens.withJoinToken(own.token());
    }

    private HubSocket socket(@Nullable Credentials own) {
        // Port 0 is any free one, which no client could ask for.
        boolean isAnyPort = listen.endsWith(":0");
        HubAddress at =
                HubAddress.parse(isAnyPort ? listen.substring(0, listen.length() - 2) : listen);
        return HubSocket.at(at.host(), isAnyPort ? 0 : at.port(), own);
    }

    /** A JVM like this one. */
    private static List<String> jobCommand() {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.add("-XX:+UseSerialGC");
        line.add("-XX:TieredStopAtLevel=1");
        line.add("-Xmx1g");
        line.add("-XX:MaxDirectMemorySize=64g");
        line.add("-Dorg.bytedeco.javacpp.maxPhysicalBytes=0");
        line.add("-cp");
        line.add(System.getProperty("java.class.path"));
        line.add("dev.medley.cli.Main");
        line.add("hub-job");
        return line;
    }
}
