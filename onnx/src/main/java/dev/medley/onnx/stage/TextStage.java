package dev.medley.onnx.stage;

import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.data.encoding.LabelledTextEncoding;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.tensor.graph.Graph;
import dev.medley.tensor.graph.Port;
import dev.medley.tensor.graph.Value;
import java.util.List;

/** Turns a text into tokens: its bytes, or its characters, each a text of its own. */
final class TextStage {
    private TextStage() {}

    /**
     * Token indices. A character that the model does not know is the last of its vocabulary where
     * that stands for such ones; else its index is beyond, and the program that runs the graph says
     * so.
     */
    static Value of(TextEncoding text, Graph graph) {
        List<String> dimensions = List.of(Port.SAMPLES, "positions");
        if (text.unit() == TextUnit.BYTES) {
            String about = "bytes of UTF-8, at most %d in a row".formatted(text.context());
            return graph.input(new Port("bytes", Port.Type.INT64, dimensions, about));
        } else if (text.unit() == TextUnit.BPE) {
            String about =
                    "tokens of the tokenizer beside the file, at most %d in a row"
                            .formatted(text.context());
            return graph.input(new Port("tokens", Port.Type.INT64, dimensions, about));
        }
        String about = "characters, at most %d in a row".formatted(text.context());
        Value characters = graph.input(new Port("characters", Port.Type.STRING, dimensions, about));
        List<String> known = text.vocabulary();
        boolean hasUnknown =
                !known.isEmpty() && known.get(known.size() - 1).equals(TextEncoding.UNKNOWN);
        return new TextCodes(known, hasUnknown ? known.size() - 1 : known.size())
                .of(characters, graph);
    }

    /** Token indices of whole texts, those of the shorter ones filled up. */
    static Value of(LabelledTextEncoding texts, Graph graph) {
        String about =
                ("tokens of column '%s' by the tokenizer beside the file, at most %d in a row, with"
                                + " those that it puts around a text; -1 behind a text's end")
                        .formatted(texts.column(), texts.context());
        List<String> dimensions = List.of(Port.SAMPLES, "positions");
        return graph.input(new Port("tokens", Port.Type.INT64, dimensions, about));
    }
}
