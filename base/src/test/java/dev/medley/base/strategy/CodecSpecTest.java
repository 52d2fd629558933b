package dev.medley.base.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class CodecSpecTest {
    @Test
    void shouldChooseAmongCodecsThatCanBeChosen() {
        CodecSpec two = CodecSpec.DEFAULT.choosingOf(Compress.INT4, Compress.BF16);
        assertThat(Json.parse(Json.line(two), CodecSpec.class)).isEqualTo(two);
        assertThatThrownBy(() -> CodecSpec.DEFAULT.choosingOf())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("strategy.codecs=[]: name some of");
        assertThatThrownBy(() -> CodecSpec.DEFAULT.choosingOf(Compress.INT8, Compress.POWERSGD))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("strategy.codecs=[int8, powersgd]");
    }

    @Test
    void shouldRefuseFewerThanOneColumn() {
        assertThatThrownBy(() -> CodecSpec.DEFAULT.ofRank(0))
                .isInstanceOf(ConfigException.class)
                .hasMessage("strategy.rank=0: at least 1 column");
        assertThatThrownBy(() -> new CodecSpec(0.01, 0, -1))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("strategy.rank=-1");
    }

    @Test
    void powerSgdShouldGoWithPlainSumsAlone() {
        for (Kind kind : new Kind[] {Kind.HYBRID, Kind.PARAMETER_SERVER, Kind.GOSSIP}) {
            StrategySpec strategy = StrategySpec.defaults(kind);
            assertThatThrownBy(() -> strategy.with(Compress.POWERSGD))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("goes with data-parallel, local-sgd and diloco");
        }
        assertThat(StrategySpec.defaults(Kind.LOCAL_SGD).with(Compress.POWERSGD).compress())
                .isEqualTo(Compress.POWERSGD);
        StrategySpec diloco = StrategySpec.defaults(Kind.DILOCO);
        assertThatThrownBy(() -> diloco.with(Compress.POWERSGD))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("strategy.outer_momentum=0.9", "0.3 at most");
        RoundSpec calm = diloco.round().outer(0.7, 0.3);
        assertThat(diloco.with(calm).with(Compress.POWERSGD).compress())
                .isEqualTo(Compress.POWERSGD);
        assertThatThrownBy(
                        () ->
                                diloco.with(calm.streaming(new StreamSpec(2, 1)))
                                        .with(Compress.POWERSGD))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("strategy.fragments=2");
    }
}
