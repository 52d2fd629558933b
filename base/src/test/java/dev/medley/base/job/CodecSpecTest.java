package dev.medley.base.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.StrategySpec.Compress;
import dev.medley.base.job.StrategySpec.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class CodecSpecTest {
    @Test
    void shouldReadRecordsOfVersionsWithoutARank() {
        String old = "{\"density\": 0.25, \"exactSteps\": 3}";
        assertThat(Json.parse(old, CodecSpec.class)).isEqualTo(new CodecSpec(0.25, 3, 4));
        CodecSpec two = CodecSpec.DEFAULT.ofRank(2).after(5).keeping(0.125);
        assertThat(two).isEqualTo(new CodecSpec(0.125, 5, 2));
        assertThat(Json.parse(Json.line(two), CodecSpec.class)).isEqualTo(two);
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
        for (Kind kind : new Kind[] {Kind.DILOCO, Kind.PARAMETER_SERVER, Kind.GOSSIP}) {
            StrategySpec strategy = StrategySpec.defaults(kind);
            assertThatThrownBy(() -> strategy.with(Compress.POWERSGD))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("goes with data-parallel and local-sgd");
        }
        assertThat(StrategySpec.defaults(Kind.LOCAL_SGD).with(Compress.POWERSGD).compress())
                .isEqualTo(Compress.POWERSGD);
    }
}
