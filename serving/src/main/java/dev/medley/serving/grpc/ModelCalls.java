package dev.medley.serving.grpc;

import dev.medley.base.Version;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import dev.medley.serving.host.HeldModel;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ServedModel;
import dev.medley.serving.host.Statistics;
import dev.medley.serving.input.InputPort;
import java.util.ArrayList;
import java.util.List;

/** Answers what there is: the server, its models, their states and figures. */
final class ModelCalls {
    private final ModelHost host;

    ModelCalls(ModelHost host) {
        this.host = host;
    }

    ProtoWriter modelReady(byte[] message) {
        ProtoReader.Meant meant = ProtoReader.meant(message, 1);
        boolean isReady;
        try (HeldModel held = hold(meant)) {
            isReady = held.model() != null;
        } catch (ServingFailure e) {
            if (e.kind() != Kind.UNAVAILABLE) {
                throw e;
            }
            isReady = false;
        }
        return new ProtoWriter().flag(1, isReady);
    }

    private HeldModel hold(ProtoReader.Meant meant) {
        return host.hold(meant.model(), meant.version().isEmpty() ? null : meant.version());
    }

    ProtoWriter server() {
        return new ProtoWriter()
                .text(1, "medley")
                .text(2, Version.build())
                .texts(3, List.of("classification", "model_repository", "statistics"));
    }

    ProtoWriter model(byte[] message) {
        try (HeldModel held = hold(ProtoReader.meant(message, 1))) {
            ServedModel model = held.model();
            List<String> versions = new ArrayList<>();
            host.entry(model.name().name())
                    .versions()
                    .forEach(each -> versions.add(each.name().version()));
            ProtoWriter out =
                    new ProtoWriter()
                            .text(1, model.name().name())
                            .texts(2, versions)
                            .text(3, "medley_" + model.description().model().family());
            model.inputs().forEach(port -> out.message(4, described(port)));
            model.outputs().forEach(port -> out.message(5, described(port)));
            return out;
        }
    }

    private static ProtoWriter described(InputPort port) {
        return new ProtoWriter()
                .text(1, port.name())
                .text(2, port.type().name())
                .longs(3, port.shape());
    }

    ProtoWriter statistics(byte[] message) {
        ProtoReader.Meant meant = ProtoReader.meant(message, 1);
        if (meant.model().isEmpty()) {
            return StatisticsProto.of(Statistics.of(host));
        }
        try (HeldModel held = hold(meant)) {
            return StatisticsProto.of(Statistics.ofOne(held.model()));
        }
    }

    ProtoWriter index(byte[] message) {
        boolean readyAlone = ProtoReader.readyAlone(message);
        ProtoWriter out = new ProtoWriter();
        host.entries()
                .forEach(
                        (name, entry) -> {
                            for (ServedModel model : entry.versions()) {
                                out.message(
                                        1,
                                        new ProtoWriter()
                                                .text(1, name)
                                                .text(2, model.name().version())
                                                .text(3, "READY"));
                            }
                            if (entry.versions().isEmpty() && !readyAlone) {
                                out.message(
                                        1,
                                        new ProtoWriter()
                                                .text(1, name)
                                                .text(2, entry.version())
                                                .text(3, "UNAVAILABLE")
                                                .text(4, entry.trouble()));
                            }
                        });
        return out;
    }
}
