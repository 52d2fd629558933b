package dev.medley.cli.serving;

import dev.medley.base.time.Clock;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.serving.http.ServeSocket;
import dev.medley.serving.http.ServerLimits;
import dev.medley.serving.route.ReplicaSource;
import dev.medley.serving.route.RouterServer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import sun.misc.Signal;

/** Routes requests to the server that will answer them soonest. */
@Command(
        name = "route",
        header = "Send each request to the server that answers it soonest.",
        description = {
            "",
            "Stands in front of servers of the same models on machines that differ, over REST and",
            "gRPC. It asks them how loaded they are and chooses by requests in flight and latency;",
            "a server that fails or ends costs no request: see docs/serving.md."
        },
        footer = {
            "",
            "Examples:",
            "  medley route --to 10.0.0.7:8080,10.0.0.8:8080",
            "  medley route --to-file servers.txt --listen 0.0.0.0:8443 --tls-cert chain.pem"
                    + " --tls-key key.pem",
            "  curl localhost:8080/route"
        })
public final class RouteCommand extends Options implements Callable<Integer> {
    @Option(
            names = "--to",
            paramLabel = "HOST:PORT,...",
            description = "The servers; https://HOST:PORT for one that speaks TLS.")
    private @Nullable String to;

    @Option(
            names = "--to-file",
            paramLabel = "FILE",
            description =
                    "A file that names a server on each line, and is read again as it changes.")
    private @Nullable Path file;

    @Option(
            names = "--to-ca",
            paramLabel = "FILE",
            description = "Authority in PEM of the servers' certificates (default: those of Java).")
    private @Nullable Path authority;

    @Option(
            names = "--to-cert",
            paramLabel = "FILE",
            description = "Certificate chain in PEM for servers that want one of their callers.")
    private @Nullable Path certificate;

    @Option(names = "--to-key", paramLabel = "FILE", description = "Its key, PKCS#8 in PEM.")
    private @Nullable Path key;

    @Mixin private ListenOption listen = new ListenOption();

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public RouteCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        ReplicaSource source = new ReplicaSource(to, file);
        ServeSocket socket = listen.socket();
        CountDownLatch end = new CountDownLatch(1);
        for (String signal : List.of("INT", "TERM")) {
            Signal.handle(new Signal(signal), s -> end.countDown());
        }
        try (RouterServer router =
                RouterServer.open(
                        new RouterServer.To(source, authority, certificate, key),
                        socket,
                        listen.callers(null),
                        ServerLimits.usual(),
                        Clock.system(),
                        terminal::say)) {
            String root = ListenOption.root(socket, router.address());
            terminal.say("routing at %s, %s/route shows the servers".formatted(root, root));
            end.await();
            terminal.say("ending: requests under way are answered");
        }
        return ExitCode.DONE;
    }
}
