package dev.medley.cli.kubernetes;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.kubernetes.install.HubAgents;
import dev.medley.net.tls.JoinCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints pods that are machines of a hub's fleet. */
@Command(
        name = "agents",
        header = "Print pods that stay with a hub: a cluster as one of its sites.",
        footer = {
            "",
            "Examples:",
            "  medley certs certs pods",
            "  medley kubernetes agents --hub 10.0.0.5:7070 --credentials certs/pods --image"
                    + " registry.example/medley:1.0 --flavor cpu,cpu=4,memory=8Gi --replicas 6 |"
                    + " kubectl apply -f -"
        })
final class AgentsCommand extends Options implements Callable<Integer> {
    @Option(
            names = "--hub",
            paramLabel = "HOST:PORT",
            required = true,
            description = "Where pods reach it.")
    private String hub = "";

    @Option(
            names = "--credentials",
            paramLabel = "DIR",
            required = true,
            description = "A folder made by medley certs for the pods, of the hub's authority.")
    private Path credentials = Path.of("");

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            required = true,
            description = "Medley of the hub's build.")
    private String image = "";

    @Option(
            names = "--flavor",
            paramLabel = "NAME,KEY=VALUE...",
            description =
                    "What a pod asks for, as in cpu,cpu=4,memory=8Gi; its name is the machines'"
                            + " type (default: ${DEFAULT-VALUE}).")
    private String flavor = "cpu";

    @Option(
            names = "--replicas",
            paramLabel = "N",
            description = "Pods (default: ${DEFAULT-VALUE}).")
    private int replicas = 1;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "Of the pods (default: ${DEFAULT-VALUE}).")
    private String namespace = "default";

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    AgentsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        check(hub.matches(".+:\\d{1,5}"), "--hub %s: HOST:PORT is needed", hub);
        check(replicas >= 0 && replicas <= 10_000, "--replicas %d: from 0 to 10,000", replicas);
        JoinCredentials join = JoinCredentials.load(credentials, Clock.system());
        terminal.print(
                HubAgents.yaml(
                                new HubAgents.Wish(namespace, image, hub, flavor, replicas),
                                identity(),
                                join.token())
                        .stripTrailing());
        return ExitCode.DONE;
    }

    private byte[] identity() {
        try {
            return Files.readAllBytes(credentials.resolve(JoinCredentials.IDENTITY));
        } catch (IOException e) {
            throw new ConfigException(
                    "%s cannot be read: %s".formatted(credentials, e.getMessage()), e);
        }
    }
}
