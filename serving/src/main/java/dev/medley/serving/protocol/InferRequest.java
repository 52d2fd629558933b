package dev.medley.serving.protocol;

import dev.medley.base.text.DidYouMean;
import dev.medley.serving.ServingFailure;
import dev.medley.serving.tensor.WireTensor;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds what a caller asks of a model.
 *
 * @param id that the answer has again; empty for none
 * @param inputs that were sent
 * @param outputs that are asked for; empty for all
 * @param isBinary whether outputs are wanted in binary where nothing else is said
 */
public record InferRequest(
        String id, List<WireTensor> inputs, List<Asked> outputs, boolean isBinary) {
    public InferRequest {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }

    /**
     * An output that is asked for.
     *
     * @param isBinary whether in binary
     * @param classes how many of the largest are wanted as texts {@code value:index:label}; 0 for
     *     the array itself
     */
    public record Asked(String name, boolean isBinary, int classes) {}

    /** An answer with the way it is written. */
    public record Answer(WireTensor tensor, boolean isBinary) {}

    /**
     * The answers that are asked for, in the order in which they are.
     *
     * @throws ServingFailure if there is none of that name
     */
    public List<Answer> select(List<WireTensor> answers) {
        List<Answer> selected = new ArrayList<>();
        if (outputs.isEmpty()) {
            answers.forEach(answer -> selected.add(new Answer(answer, isBinary)));
            return selected;
        }
        for (Asked asked : outputs) {
            WireTensor found =
                    answers.stream()
                            .filter(answer -> answer.name().equals(asked.name()))
                            .findFirst()
                            .orElseThrow(() -> missing(asked.name(), answers));
            selected.add(
                    new Answer(
                            asked.classes() == 0
                                    ? found
                                    : Classification.of(found, asked.classes()),
                            asked.isBinary()));
        }
        return selected;
    }

    private static ServingFailure missing(String name, List<WireTensor> answers) {
        List<String> names = answers.stream().map(WireTensor::name).toList();
        return ServingFailure.invalid(
                "there is no output '%s'%s; this model gives %s",
                name.length() > 100 ? name.substring(0, 100) : name,
                DidYouMean.of(name, names).map(near -> ", did you mean '" + near + "'?").orElse(""),
                String.join(", ", names));
    }
}
