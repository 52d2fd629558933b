package dev.medley.serving.http;

import dev.medley.base.Version;
import dev.medley.serving.host.ModelEntry;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ServedModel;
import dev.medley.serving.protocol.AnswerJson.Described;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Says what a server and its models are, in the records of the protocol. */
final class ModelMetadata {
    private static final List<String> EXTENSIONS =
            List.of("binary_tensor_data", "classification", "model_repository", "statistics");

    private ModelMetadata() {}

    /** The server. */
    record OfServer(String name, String version, List<String> extensions) {}

    /** A model. */
    record OfModel(
            String name,
            List<String> versions,
            String platform,
            List<Described> inputs,
            List<Described> outputs) {}

    /** A line of the repository's index. */
    record Indexed(String name, String version, String state, String reason) {}

    /** What somebody is called, and whether it answers: of version 1. */
    record Ready(String name, boolean ready) {}

    static OfServer server() {
        return new OfServer("medley", Version.build(), EXTENSIONS);
    }

    static OfModel model(ServedModel model, ModelHost host) {
        List<String> versions = new ArrayList<>();
        host.entry(model.name().name())
                .versions()
                .forEach(each -> versions.add(each.name().version()));
        return new OfModel(
                model.name().name(),
                versions,
                "medley_" + model.description().model().family(),
                model.inputs().stream().map(Described::of).toList(),
                model.outputs().stream().map(Described::of).toList());
    }

    static List<Indexed> index(ModelHost host, boolean readyAlone) {
        List<Indexed> lines = new ArrayList<>();
        for (Map.Entry<String, ModelEntry> each : host.entries().entrySet()) {
            ModelEntry entry = each.getValue();
            for (ServedModel model : entry.versions()) {
                lines.add(new Indexed(each.getKey(), model.name().version(), "READY", ""));
            }
            if (entry.versions().isEmpty() && !readyAlone) {
                lines.add(
                        new Indexed(
                                each.getKey(), entry.version(), "UNAVAILABLE", entry.trouble()));
            }
        }
        return lines;
    }
}
