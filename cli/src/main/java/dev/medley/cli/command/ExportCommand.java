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
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes a trained model in a form that other programs run. */
@Command(
        name = "export",
        header = "Write a trained model as an ONNX file, which other programs run.",
        description = {
            "",
            "The file takes raw columns and gives answers as 'medley predict' does: scaling,",
            "categories and dates are part of it. It is written whole or not at all. What flows in",
            "and out is printed; docs/onnx.md shows how it is run."
        },
        footer = {
            "",
            "Examples:",
            "  medley export latest --onnx model.onnx",
            "  medley export runs/adult-20261121-101500/model --onnx adult.onnx --json"
        })
public final class ExportCommand extends ModelOptions implements Callable<Integer> {
    @Option(
            names = "--onnx",
            required = true,
            paramLabel = "FILE",
            description = "The file to write; another of that name is replaced.")
    private Path file = Path.of("");

    /** Prints to {@code terminal}. */
    public ExportCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() {
        OnnxModel onnx;
        try (TrainedModel model = TrainedModel.load(model(), 1)) {
            onnx = model.onnx();
        }
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
        return ExitCode.DONE;
    }

    private void print(String way, List<Port> ports) {
        for (Port port : ports) {
            terminal.print(
                    "  %s  %-20s %-24s %s".formatted(way, port.name(), port.shape(), port.about()));
        }
    }
}
