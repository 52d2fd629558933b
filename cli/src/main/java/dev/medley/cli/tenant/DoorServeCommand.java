package dev.medley.cli.tenant;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.JoinSpec;
import dev.medley.base.time.Clock;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.serving.http.ServeSocket;
import dev.medley.serving.http.ServeTls;
import dev.medley.tenant.audit.AuditRotation;
import dev.medley.tenant.door.TenantDoor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import sun.misc.Signal;

/** Opens the door to shared tables. */
@Command(
        name = "serve",
        header = "Open the door: each caller finds its own rows as files of an object store.",
        description = {
            "",
            "Callers sign as for S3, with their name as access key and their secret; every table",
            "is there as NAME.parquet and NAME.csv. So training, prediction, evaluation and",
            "'data describe' read s3://BUCKET/NAME.parquet and get what the policies allow."
        },
        footer = {
            "",
            "Examples:",
            "  medley door serve policies.yaml",
            "  medley door serve policies.yaml --listen 0.0.0.0:9443 --tls-cert chain.pem"
                    + " --tls-key key.pem",
            "  AWS_ENDPOINT_URL=http://127.0.0.1:9000 AWS_ACCESS_KEY_ID=acme"
                    + " AWS_SECRET_ACCESS_KEY=... \\",
            "    medley data describe s3://warehouse/customers.parquet --label churn"
        })
final class DoorServeCommand extends Options implements Callable<Integer> {
    private static final long LOOK_S = 5;

    @Mixin private PoliciesOption policies = new PoliciesOption();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description =
                    "Where it is reached; port 0 for any. Beyond this machine in TLS alone"
                            + " (default: ${DEFAULT-VALUE}).")
    private String listen = "127.0.0.1:9000";

    @Option(names = "--tls-cert", paramLabel = "FILE", description = "Certificate chain in PEM.")
    private @Nullable Path certificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "Its key, PKCS#8 in PEM.")
    private @Nullable Path key;

    @Option(
            names = "--tls-clients",
            paramLabel = "FILE",
            description = "Authority in PEM of which callers need a certificate, too.")
    private @Nullable Path clients;

    @Option(
            names = "--audit-mb",
            paramLabel = "MB",
            description =
                    "The log of requests goes on in a new file where one is as large"
                            + " (default: ${DEFAULT-VALUE}).")
    private int auditMb = 64;

    @Option(
            names = "--audit-keep",
            paramLabel = "N",
            description =
                    "So many full files of it stay, and those of today; that others are removed is"
                            + " recorded (default: all).")
    private int auditKeep = Integer.MAX_VALUE;

    private final Terminal terminal;

    DoorServeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        ServeSocket socket = socket();
        AuditRotation rotation = AuditRotation.of(auditMb, auditKeep);
        CountDownLatch end = new CountDownLatch(1);
        for (String signal : List.of("INT", "TERM")) {
            Signal.handle(new Signal(signal), s -> end.countDown());
        }
        try (TenantDoor door =
                TenantDoor.open(
                        policies.file(),
                        policies.audit(),
                        rotation,
                        socket,
                        System::getenv,
                        Clock.system(),
                        terminal::say)) {
            terminal.say(
                    "the door is open at %s://%s:%d, requests are recorded in %s"
                            .formatted(
                                    socket.tls() == null ? "http" : "https",
                                    door.address().getAddress().getHostAddress(),
                                    door.address().getPort(),
                                    policies.audit()));
            PolicyWatch watch = new PolicyWatch(door::trouble, Clock.system(), terminal::say);
            while (!end.await(LOOK_S, TimeUnit.SECONDS)) {
                watch.look();
            }
            terminal.say("ending: requests under way are answered");
        }
        return ExitCode.DONE;
    }

    private ServeSocket socket() {
        Path chain = certificate;
        Path own = key;
        check(
                (chain == null) == (own == null),
                "--tls-cert and --tls-key belong together: give both");
        check(
                clients == null || chain != null,
                "--tls-clients asks for certificates in TLS: give --tls-cert and --tls-key, too");
        ServeTls tls = chain == null || own == null ? null : new ServeTls(chain, own, clients);
        if (listen.endsWith(":0")) {
            return ServeSocket.at(listen.substring(0, listen.length() - 2), 0, tls);
        }
        JoinSpec at = JoinSpec.at(listen);
        return ServeSocket.at(at.host(), at.port(), tls);
    }
}
