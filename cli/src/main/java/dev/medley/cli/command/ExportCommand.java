package dev.medley.cli.command;

import dev.medley.api.TrainedModel;
import dev.medley.base.text.Units;
import dev.medley.cli.option.ModelOptions;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.onnx.OnnxModel;
import dev.medley.tensor.graph.Port;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes a trained model in a form that other programs run. */
@Command(
        name = "export",
        header = "Write a trained model as a file that other programs run.",
        description = {
            "",
            "An ONNX file takes raw columns and gives answers as 'medley predict' does: scaling,",
            "categories and dates are part of it. What flows in and out is printed; docs/onnx.md",
            "shows how it is run. --edge writes it with a Java class that reads rows and needs",
            "nothing but ONNX Runtime, for a table. A network that came from Python goes back as"
                    + " TorchScript. Files",
            "are written whole or not at all."
        },
        footer = {
            "",
            "Examples:",
            "  medley export latest --onnx model.onnx",
            "  medley export runs/adult-20261121-101500/model --onnx adult.onnx --json",
            "  medley export latest --edge adult-edge",
            "  medley export latest --torchscript net.pt    in Python: torch.jit.load('net.pt')"
        })
public final class ExportCommand extends ModelOptions implements Callable<Integer> {
    /** The form that is asked for, by its file. */
    static final class Form {
        @Option(
                names = "--onnx",
                paramLabel = "FILE",
                description = "The ONNX file to write; another of that name is replaced.")
        private @Nullable Path onnx;

        @Option(
                names = "--edge",
                paramLabel = "FOLDER",
                description = "A folder that answers without Medley, of a model of a table.")
        private @Nullable Path edge;

        @Option(
                names = "--torchscript",
                paramLabel = "FILE",
                description = "The same in TorchScript, of a model of family torchscript.")
        private @Nullable Path torchScript;
    }

    @ArgGroup(multiplicity = "1")
    private Form form = new Form();

    /** Prints to {@code terminal}. */
    public ExportCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() {
        try (TrainedModel model = TrainedModel.load(model(), 1)) {
            if (form.onnx != null) {
                write(model.onnx(), form.onnx);
            } else if (form.edge != null) {
                writeEdge(model, form.edge);
            } else {
                write(model, Objects.requireNonNull(form.torchScript));
            }
        }
        return ExitCode.DONE;
    }

    private void write(OnnxModel onnx, Path file) {
        onnx.write(file);
        Map<String, Object> done = new LinkedHashMap<>();
        done.put("file", file.toString());
        done.put("bytes", onnx.bytes());
        done.put("inputs", onnx.inputs());
        done.put("outputs", onnx.outputs());
        if (!printedJson(done)) {
            terminal.print("%s in %s".formatted(Units.bytes(onnx.bytes()), file));
            print("in ", onnx.inputs());
            print("out", onnx.outputs());
        }
    }

    private void writeEdge(TrainedModel model, Path folder) {
        List<String> files = model.writeEdge(folder);
        if (!printedJson(Map.of("folder", folder.toString(), "files", files))) {
            terminal.print(
                    "%s in %s: %s/README.md says how it is used"
                            .formatted(String.join(", ", files), folder, folder));
        }
    }

    private void write(TrainedModel model, Path file) {
        model.writeTorchScript(file);
        if (!printedJson(Map.of("file", file.toString()))) {
            terminal.print("TorchScript in " + file);
        }
    }

    private void print(String way, List<Port> ports) {
        for (Port port : ports) {
            terminal.print(
                    "  %s  %-20s %-24s %s".formatted(way, port.name(), port.shape(), port.about()));
        }
    }
}
