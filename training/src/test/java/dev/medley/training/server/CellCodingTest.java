package dev.medley.training.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.memory.SpanHash;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.exchange.codec.Codec;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cell of one piece, and one of a little more. */
@Tag("unit")
class CellCodingTest {
    private static final ElementType TYPE = ElementType.FLOAT32;

    @ParameterizedTest
    @ValueSource(ints = {7, CellCoding.PIECE_ELEMENTS + 5})
    void whatIsCodedShouldComeOutWhereItWas(int elements) {
        CellCoding coding = coding(Compress.INT8, elements);
        Span values = values(elements);
        Span into = Span.allocate(values.bytes());
        assertThat(coding.decode(coding.encode(values, 1), into)).isSameAs(into);
        float most = 0;
        for (int i = 0; i < elements; i++) {
            most = Math.max(most, Math.abs(number(into, i) - number(values, i)));
        }
        assertThat(most).as("half a level of 254").isCloseTo(0, within(0.005f));
    }

    @ParameterizedTest
    @ValueSource(ints = {7, CellCoding.PIECE_ELEMENTS + 5})
    void whatIsLeftOutShouldComeLaterUnlessItsRoundIsVoid(int elements) {
        CellCoding coding = coding(Compress.INT4, elements);
        Span values = values(elements);
        String first = hash(coding.encode(values, 1));
        coding.begin();
        assertThat(hash(coding.encode(values, 1))).as("begun again").isEqualTo(first);
        coding.applied();
        coding.begin();
        assertThat(hash(coding.encode(values, 1))).as("with the rest").isNotEqualTo(first);
    }

    private static CellCoding coding(Compress compress, int elements) {
        return new CellCoding(Codec.of(compress, CodecSpec.DEFAULT).orElseThrow(), TYPE, elements);
    }

    private static Span values(int elements) {
        Span span = Span.allocate((long) elements * TYPE.bytes());
        for (int i = 0; i < elements; i++) {
            span.buffer().putFloat(i * TYPE.bytes(), (float) Math.sin(i));
        }
        return span;
    }

    private static float number(Span span, int i) {
        return span.buffer().getFloat(i * TYPE.bytes());
    }

    private static String hash(Span span) {
        return SpanHash.of(List.of(span));
    }
}
