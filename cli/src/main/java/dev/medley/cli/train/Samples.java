package dev.medley.cli.train;

import dev.medley.api.TrainedModel;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.cli.terminal.Terminal;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.inference.model.GenerateOptions;
import dev.medley.store.model.ModelFolder;
import java.nio.file.Files;
import java.nio.file.Path;

/** Prints a text that a freshly trained language model generates. */
public final class Samples {
    private static final String PROMPT = "\n";

    private Samples() {}

    /** Prints a sample of text if the model in {@code folder} is a language model. */
    public static void print(Terminal terminal, Path folder) {
        if (!Files.isDirectory(folder) || !predictsTokens(folder)) {
            return; // Loading LibTorch takes a second.
        }
        try (TrainedModel model = TrainedModel.load(folder)) {
            if (model.encoding() instanceof TextEncoding) {
                terminal.print("");
                terminal.print(terminal.styled("bold", "A sample of the model's text:"));
                visible(model.generate(PROMPT, GenerateOptions.defaults()))
                        .lines()
                        .forEach(line -> terminal.print("  " + line));
            }
        }
    }

    private static boolean predictsTokens(Path folder) {
        return ModelFolder.read(folder).description().signature().target().kind()
                == TargetKind.TOKENS;
    }

    /** A young model of bytes also says control characters, which would move the cursor or ring. */
    public static String visible(String text) {
        return text.replaceAll("[\\p{Cc}&&[^\\t\\r\\n]]", "\uFFFD");
    }
}
