package dev.medley.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.strategy.AsyncSpec;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Balance;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.strategy.StreamSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class ParallelismTest {
    @Test
    void shouldSayWhatAJobFileSays() {
        DiLoCo diloco = DiLoCo.workers(3).syncEvery(9).innerBatch(4).outer(0.5, 0.8).balanced();
        assertThat(diloco.cluster().workers()).isEqualTo(3);
        assertThat(diloco.strategy().kind()).isEqualTo(Kind.DILOCO);
        assertThat(diloco.strategy().round()).isEqualTo(new RoundSpec(9, 4, 0.5, 0.8));
        assertThat(diloco.strategy().balance()).isEqualTo(Balance.SPEED);
        Hybrid hybrid = Hybrid.workers(4).syncEvery(5).innerBatch(2).outer(0.4, 0.6).balanced();
        assertThat(hybrid.strategy().kind()).isEqualTo(Kind.HYBRID);
        assertThat(hybrid.strategy().round()).isEqualTo(new RoundSpec(5, 2, 0.4, 0.6));
        assertThat(hybrid.compress(Compress.INT8).strategy().compress()).isEqualTo(Compress.INT8);
        assertThat(Hybrid.workers(4).strategy().round())
                .isEqualTo(DiLoCo.workers(4).strategy().round());
        assertThat(diloco.fragments(3).overlap(2).strategy().round().stream())
                .isEqualTo(new StreamSpec(3, 2));
        LocalSgd local = LocalSgd.workers(2).syncEvery(7).innerBatch(2);
        assertThat(local.strategy().kind()).isEqualTo(Kind.LOCAL_SGD);
        assertThat(Auto.workers(2).strategy()).isEqualTo(StrategySpec.defaults(Kind.AUTO));
        assertThat(local.strategy().round()).isEqualTo(new RoundSpec(7, 2, 1, 0));
        assertThat(DiLoCo.workers(2).compress(Compress.INT4).syncEvery(3).strategy().compress())
                .isEqualTo(Compress.INT4);
        CodecSpec two = CodecSpec.DEFAULT.ofRank(2);
        assertThat(DataParallel.workers(2).compress(Compress.POWERSGD, two).strategy().codec())
                .isEqualTo(two);
        assertThat(local.strategy().compress()).isEqualTo(Compress.NONE);
        assertThat(local.compress(Compress.BF16).strategy().compress()).isEqualTo(Compress.BF16);
        assertThat(DataParallel.workers(2).compress(Compress.INT8).balanced().strategy().compress())
                .isEqualTo(Compress.INT8);
        assertThat(ParameterServer.workers(2).stale(7).strategy().async())
                .isEqualTo(AsyncSpec.stale(7));
        assertThat(ParameterServer.workers(2).bulk().syncEvery(5).balanced().strategy())
                .extracting(s -> s.async().sync(), s -> s.round().syncEvery(), s -> s.balance())
                .containsExactly(AsyncSpec.Sync.BULK, 5, Balance.SPEED);
        assertThat(
                        ParameterServer.workers(2)
                                .async()
                                .innerBatch(3)
                                .strategy()
                                .algorithm()
                                .isRepeatable())
                .isFalse();
        Gossip gossip = Gossip.workers(4).mixEvery(3).syncEvery(9).innerBatch(2);
        assertThat(gossip.strategy().async().mixEvery()).isEqualTo(3);
        assertThat(gossip.strategy().round()).isEqualTo(new RoundSpec(9, 2, 1, 0));
        assertThat(DataParallel.workers(2).shares(3, 1).strategy().shares())
                .containsExactly(3.0, 1.0);
    }
}
