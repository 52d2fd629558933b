package dev.medley.cli.fleet;

import dev.medley.base.time.Clock;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.fleet.catalog.Policies;
import dev.medley.fleet.hub.HubRules;
import dev.medley.fleet.policy.fill.FilledPolicy;
import dev.medley.fleet.policy.quota.MoveForGain;
import dev.medley.hub.Hub;
import dev.medley.hub.HubOptions;
import dev.medley.hub.http.HubCaller.Role;
import dev.medley.hub.http.HubServer;
import dev.medley.hub.http.HubTls;
import dev.medley.hub.http.HubTokens;
import dev.medley.net.door.LocalTokens;
import dev.medley.net.tls.JoinCredentials;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
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
        footer = {
            "",
            "Examples:",
            "  medley hub",
            "  medley hub --policy fifo_fastest",
            "  medley hub --listen 0.0.0.0:7070 --host 10.0.0.5 --credentials certs/hub"
        })
public final class HubCommand extends Options implements Callable<Integer> {
    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where it is reached (default: ${DEFAULT-VALUE}).")
    private String listen = HubAddress.USUAL;

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

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public HubCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        InetSocketAddress asked = HubAddress.parse(listen);
        HubRules usual = HubRules.DEFAULTS;
        HubOptions options =
                new HubOptions(
                        folder.toAbsolutePath(),
                        host == null ? asked.getHostString() : host,
                        credentials == null ? null : credentials.toAbsolutePath(),
                        new MoveForGain(new FilledPolicy(Policies.named(policy))),
                        new HubRules(roundS, usual.settleS(), usual.silenceS(), usual.attempts()),
                        jobCommand());
        HubTls tls =
                credentials == null
                        ? null
                        : new HubTls(
                                JoinCredentials.load(credentials, Clock.system()).credentials());
        CountDownLatch end = new CountDownLatch(1);
        for (String signal : List.of("INT", "TERM")) {
            Signal.handle(new Signal(signal), s -> end.countDown());
        }
        try (Hub hub = Hub.open(options, Clock.system())) {
            HubTokens tokens = HubTokens.in(options.folder());
            try (HubServer server = HubServer.open(hub, tokens, asked, tls);
                    Closeable own =
                            LocalTokens.ofThisUser()
                                    .leave(
                                            new InetSocketAddress(
                                                    asked.getAddress(), server.port()),
                                            tokens.of(Role.ADMIN))) {
                terminal.say(
                        "the hub listens at %s:%d, decides by %s, and keeps all in %s"
                                .formatted(asked.getHostString(), server.port(), policy, folder));
                terminal.say(
                        "its page, to see: %s://%s:%d/#token=%s"
                                .formatted(
                                        tls == null ? "http" : "https",
                                        asked.getHostString(),
                                        server.port(),
                                        tokens.of(Role.VIEWER)));
                end.await();
                terminal.say("the hub ends; its jobs go on, and it finds them when it is back");
            }
        }
        return ExitCode.DONE;
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
