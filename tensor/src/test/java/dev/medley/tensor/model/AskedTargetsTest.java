package dev.medley.tensor.model;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.ElementType;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Transformers that read tokens say in words what they are asked for, and cannot. */
@Tag("unit")
class AskedTargetsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "decoder | BINARY | model.form=decoder predicts the next token, but the data asks"
                        + " for the class of a text: set model.form: encoder",
                "decoder | CLASSES | model.form=decoder predicts the next token, but the data asks"
                        + " for the class of a text: set model.form: encoder",
                "decoder | VALUE | model.form=decoder predicts the next token, but the data asks"
                        + " for a number: set model.form: encoder",
                "encoder | TOKENS | model.form=encoder: says the class of a text, but the data asks"
                        + " for the next token: take a decoder",
                "encoder | GRADE | model.form=encoder: says the class of a text, but the data asks"
                        + " for a number: take a decoder",
            })
    void shouldSayWhatTheDataAsksFor(String form, TargetKind kind, String message) {
        ModelSpec.Transformer decoder = new ModelSpec.Transformer(1, 8, 2, 0);
        ModelSpec model = form.equals("decoder") ? decoder : decoder.ofPatches(1, 1);
        Signature.Input text =
                new Signature.Input("tokens", ElementType.INT64, List.of(4), List.of(9));
        Signature asked =
                new Signature(List.of(text), new Target(kind, kind.ordinal() + 1, List.of()));
        assertThatThrownBy(() -> Networks.layout(model, List.of(), asked))
                .isInstanceOf(ConfigException.class)
                .hasMessage(message);
    }

    @Test
    void rowsOverTimeShouldBeAnEncoders() {
        Signature.Input rows =
                new Signature.Input("rows", ElementType.FLOAT32, List.of(4, 2), List.of());
        Signature asked = new Signature(List.of(rows), new Target(TargetKind.BINARY, 1, List.of()));
        ModelSpec decoder = new ModelSpec.Transformer(1, 8, 2, 0);
        assertThatThrownBy(() -> Networks.layout(decoder, List.of(), asked))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "model.form=decoder reads tokens, but the data gives rows over time: set"
                                + " model.form: encoder");
    }
}
