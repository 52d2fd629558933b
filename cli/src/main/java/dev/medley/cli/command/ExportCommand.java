package dev.medley.cli.command;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.TrainedModel;
import dev.medley.api.int8.Int8Verdict;
import dev.medley.api.yaml.Quantity;
import dev.medley.base.ConfigException;
import dev.medley.base.text.Units;
import dev.medley.cli.option.ModelOptions;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.onnx.OnnxModel;
import dev.medley.onnx.OnnxModel.Precision;
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
            "nothing but ONNX Runtime, for a table. A network that came from Python goes back as",
            "TorchScript. Files are written whole or not at all."
        },
        footer = {
            "",
            "Examples:",
            "  medley export latest --onnx model.onnx",
            "  medley export runs/adult-20261121-101500/model --onnx adult.onnx --json",
            "  medley export latest --edge adult-edge",
            "  medley export latest --onnx small.onnx --int8 --loss 1%%",
            "  medley export latest --torchscript net.pt    in Python: torch.jit.load('net.pt')"
        })
public final class ExportCommand extends ModelOptions implements Callable<Integer> {
    private static final double USUAL_LOSS = 0.005;

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

    @Option(
            names = "--int8",
            description = {
                "Keep matrices of weights in eight bits, with --onnx or --edge: only where that is",
                "measured to be faster here, and loses no more than --loss on the validation data."
            })
    private boolean isInt8;

    @Option(
            names = "--loss",
            paramLabel = "PERCENT",
            description = "How much worse the first metric may become (default: 0.5%%).")
    private @Nullable String loss;

    /** Prints to {@code terminal}. */
    public ExportCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() {
        check(loss == null || isInt8, "--loss is about --int8: add it, or leave --loss out");
        check(
                !isInt8 || form.torchScript == null,
                "--int8 goes with --onnx or --edge, not with --torchscript");
        double allowed = loss == null ? USUAL_LOSS : share(loss);
        try (TrainedModel model = TrainedModel.load(model(), 1)) {
            Int8Verdict verdict = isInt8 ? model.int8(allowed) : null;
            if (verdict != null && !verdict.isWorthIt()) {
                throw new ConfigException(
                        verdict.why() + "; nothing was written: leave out --int8");
            }
            Precision precision = isInt8 ? Precision.INT8 : Precision.FP32;
            if (form.onnx != null) {
                write(model.onnx(precision), form.onnx, verdict);
            } else if (form.edge != null) {
                writeEdge(model, model.onnx(precision), form.edge, verdict);
            } else {
                write(model, Objects.requireNonNull(form.torchScript));
            }
        }
        return ExitCode.DONE;
    }

    private static double share(String percent) {
        check(
                percent.matches("[0-9]{1,3}([.][0-9]{1,9})? ?%"),
                "--loss %s: a share of the metric, as 0.5%%",
                percent);
        return Quantity.percent(percent);
    }

    private void write(OnnxModel onnx, Path file, @Nullable Int8Verdict int8) {
        onnx.write(file);
        Map<String, Object> done = new LinkedHashMap<>();
        done.put("file", file.toString());
        done.put("bytes", onnx.bytes());
        List<String> beside = onnx.beside(file).stream().map(Path::toString).toList();
        if (!beside.isEmpty()) {
            done.put("beside", beside);
        }
        done.put("inputs", onnx.inputs());
        done.put("outputs", onnx.outputs());
        if (int8 != null) {
            done.put("int8", int8);
        }
        if (!printedJson(done)) {
            terminal.print("%s in %s".formatted(Units.bytes(onnx.bytes()), file));
            beside.forEach(name -> terminal.print("%s says how texts are read".formatted(name)));
            print("in ", onnx.inputs());
            print("out", onnx.outputs());
            say(int8);
        }
    }

    private void writeEdge(
            TrainedModel model, OnnxModel onnx, Path folder, @Nullable Int8Verdict int8) {
        List<String> files = model.writeEdge(onnx, folder);
        Map<String, Object> done = new LinkedHashMap<>();
        done.put("folder", folder.toString());
        done.put("files", files);
        if (int8 != null) {
            done.put("int8", int8);
        }
        if (!printedJson(done)) {
            terminal.print(
                    "%s in %s: %s/README.md says how it is used"
                            .formatted(String.join(", ", files), folder, folder));
            say(int8);
        }
    }

    private void say(@Nullable Int8Verdict int8) {
        if (int8 != null) {
            terminal.print(int8.why());
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
