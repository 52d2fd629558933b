package dev.medley.api.job;

import static dev.medley.api.job.JobErrorsTest.HEAD;
import static dev.medley.api.job.JobErrorsTest.expect;

import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.text.Words;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same of strategies and codecs, whose keys go with some of each other alone. */
@Tag("unit")
class StrategyErrorsTest {
    private static final String ALL = Words.of(List.of(Kind.values()));

    @Test
    void shouldSayWhatARoundTakes() {
        expect(
                HEAD + "strategy: local_sgd\n",
                "job.yaml:3:11: strategy: found the text 'local_sgd', expected one of "
                        + ALL
                        + "; did you mean local-sgd?");
        expect(
                HEAD + "strategy: {kind: hybird, sync_every: 8}\n",
                "job.yaml:3:18: strategy.kind: found the text 'hybird', expected one of "
                        + ALL
                        + "; did you mean hybrid?");
        expect(
                HEAD + "strategy: {kind: auto, compress: int8}\n",
                "job.yaml:3:24: strategy.compress has no meaning for kind auto, which chooses the"
                        + " codec; leave it out, or name a strategy");
        expect(
                HEAD + "strategy: all-reduce\n",
                "job.yaml:3:11: strategy: found the text 'all-reduce', expected one of "
                        + ALL
                        + "; did you mean data-parallel?");
        expect(
                HEAD + "strategy: {kind: auto, sync_every: 8}\n",
                "job.yaml:3:24: strategy.sync_every has no meaning for kind auto; it goes with"
                        + " diloco, gossip, hybrid, local-sgd, parameter-server");
        expect(
                HEAD + "strategy: {kind: diloco, sync_evry: 8}\n",
                "job.yaml:3:26: unknown key strategy.sync_evry; did you mean sync_every?");
        expect(
                HEAD + "strategy: {compress: int-8}\n",
                "job.yaml:3:22: strategy.compress: found the text 'int-8', expected one of none,"
                    + " bf16, fp16, int8, int4, topk, onebit, powersgd, auto; did you mean int8?");
        expect(
                HEAD + "strategy: {kind: diloco, sync_every: 0}\n",
                "job.yaml:3:38: strategy.sync_every: found the number 0, expected at least 1");
        expect(
                HEAD + "strategy: {kind: diloco, inner_batch: 0}\n",
                "job.yaml:3:39: strategy.inner_batch: found the number 0, expected at least 1");
        expect(
                HEAD + "strategy: {kind: diloco, outer_lr: 0}\n",
                "job.yaml:3:36: strategy.outer_lr: found the number 0, expected above 0");
        expect(
                HEAD + "strategy: {kind: diloco, outer_momentum: 1}\n",
                "job.yaml:3:42: strategy.outer_momentum: found the number 1, expected below 1");
    }

    @Test
    void shouldSayWhatABorderTakes() {
        expect(
                HEAD + "strategy: {kind: auto, borders: [{from: a, to: b, codec: int8}]}\n",
                "job.yaml:3:24: strategy.borders with strategy=auto, which chooses the codecs:"
                        + " leave strategy.borders out, or name a strategy");
        expect(
                HEAD + "strategy: {density: 0.1, borders: [{from: a, to: b, codec: int8}]}\n",
                "job.yaml:3:12: strategy.density has no meaning for compress none; it goes with"
                        + " auto, topk");
        expect(
                HEAD + "strategy: {borders: [{from: aws, to: aws, codec: int8}]}\n",
                "job.yaml:3:12: strategy.borders from=aws to=aws: inside a "
                        + "site nothing is coded; name two sites");
        expect(
                HEAD + "strategy: {borders: [{from: aws, to: gcp}]}\n",
                "job.yaml:3:22: strategy.borders[0] has no codec; add " + "it");
        expect(
                HEAD + "strategy: {borders: [{from: aws, to: gcp, codec: onebit}]}\n",
                "job.yaml:3:50: strategy.borders[0].codec: found the text "
                        + "'onebit', expected one of none, bf16, fp16, int8, int4, topk");
        expect(
                HEAD + "strategy: {compress: auto, borders: [{from: a, to: b, codec: int8}]}\n",
                "job.yaml:3:12: strategy.compress=auto with strategy.borders: it is for all"
                        + " borders, or chooses their codecs itself; leave strategy.borders out, or"
                        + " name another codec");
        expect(
                HEAD
                        + "strategy:\n  borders:\n    - {from: a, to: b, codec: int8}\n"
                        + "    - {from: a, to: b, codec: int4}\n",
                "job.yaml:4:3: strategy.borders=[a to b, a to b]: name each "
                        + "way from a site to another once");
    }

    @Test
    void shouldSayWhatAQuorumTakes() {
        expect(
                HEAD + "strategy: {kind: diloco, quorm: 2}\n",
                "job.yaml:3:26: unknown key strategy.quorm; did you mean quorum?");
        expect(
                HEAD + "strategy: {kind: diloco, quorum: 0}\n",
                "job.yaml:3:34: strategy.quorum: found the number 0, expected above 0");
        expect(
                HEAD + "cluster: 2\nstrategy: {kind: diloco, quorum: 3}\n",
                "job.yaml:4:26: strategy.quorum=3, but cluster.workers=2: a quorum is at most the"
                        + " group; lower it, or use more workers");
        expect(
                HEAD + "strategy: {kind: diloco, quorum: 1.5}\n",
                "job.yaml:3:26: strategy.quorum=1.5: a number of workers, such as 3, or a part of"
                        + " the group below 1, such as 0.75");
        expect(
                HEAD + "strategy: {kind: diloco, quorum: 1, grace: -1}\n",
                "job.yaml:3:44: strategy.grace: found the number -1, expected at least 0");
        expect(
                HEAD + "strategy: {kind: diloco, grace: 2s}\n",
                "job.yaml:3:26: strategy.grace has no meaning without strategy.quorum, where not"
                        + " all are waited for");
        expect(
                HEAD + "strategy: {kind: hybrid, quorum: 1}\n",
                "job.yaml:3:26: strategy.quorum has no meaning for kind hybrid; it goes with"
                        + " diloco, local-sgd");
        expect(
                HEAD + "cluster: 2\nstrategy: {kind: diloco, quorum: 3}\n",
                "job.yaml:4:26: strategy.quorum=3, but cluster.workers=2: a quorum is at most the"
                        + " group; lower it, or use more workers");
        expect(
                HEAD + "strategy: {kind: gossip, compress: topk}\n",
                "job.yaml:3:26: strategy.compress=topk with strategy=gossip, whose average would"
                        + " lack most of what was learnt: take another codec, or leave topk out of"
                        + " strategy.codecs and strategy.borders");
        expect(
                HEAD + "strategy: {kind: gossip, quorum: 1}\n",
                "job.yaml:3:26: strategy.quorum has no meaning for kind gossip; it goes with"
                        + " diloco, local-sgd");
        expect(
                HEAD + "strategy: {kind: diloco, late_rounds: 0}\n",
                "job.yaml:3:26: strategy.late_rounds has no meaning without strategy.quorum, where"
                        + " not all are waited for");
        expect(
                HEAD + "strategy: {kind: diloco, quorum: 1, overlap: 2}\n",
                "job.yaml:3:26: strategy.quorum=1, strategy.fragments=1, strategy.overlap=2:"
                        + " fragments are waited for one by one; leave the quorum out, or the other"
                        + " two");
        expect(
                HEAD + "strategy: {kind: local-sgd, quorum: 1, compress: powersgd}\n",
                "job.yaml:3:29: strategy.quorum=1 does not go with strategy.compress=powersgd,"
                        + " whose factors need all workers: take another codec, or leave the quorum"
                        + " out");
        expect(
                HEAD + "strategy: {kind: diloco, outer: adm}\n",
                "job.yaml:3:33: strategy.outer: found the text 'adm', expected one of nesterov,"
                        + " adam; did you mean adam?");
    }

    @Test
    void shouldSayWhatFragmentsTake() {
        expect(
                HEAD + "strategy: {kind: diloco, fragmnts: 4}\n",
                "job.yaml:3:26: unknown key strategy.fragmnts; did you mean fragments?");
        expect(
                HEAD + "strategy: {kind: diloco, fragments: 0}\n",
                "job.yaml:3:37: strategy.fragments: found the number 0, expected at least 1");
        expect(
                HEAD + "strategy: {kind: diloco, overlap: -1}\n",
                "job.yaml:3:35: strategy.overlap: found the number -1, expected at least 0");
        expect(
                HEAD + "strategy: {fragments: 4}\n",
                "job.yaml:3:12: strategy.fragments has no meaning for kind data-parallel; it goes"
                        + " with diloco");
        expect(
                HEAD + "strategy: {kind: local-sgd, overlap: 4}\n",
                "job.yaml:3:29: strategy.overlap has no meaning for kind local-sgd; it goes with"
                        + " diloco");
        expect(
                HEAD + "strategy: {kind: diloco, sync_every: 32, fragments: 4, overlap: 9}\n",
                "job.yaml:3:42: strategy.fragments=4, strategy.overlap=9, strategy.sync_every=32:"
                        + " fragments travel one after another, so that fragments times overlap is"
                        + " sync_every at most");
    }

    @Test
    void shouldSayAmongWhatACodecIsChosen() {
        expect(
                HEAD + "strategy: {compress: auto, codecs: [int8, int-4]}\n",
                "job.yaml:3:43: strategy.codecs[1]: found the text 'int-4', expected one of none,"
                        + " bf16, fp16, int8, int4, topk; did you mean int4?");
        expect(
                HEAD + "strategy: {compress: auto, codecs: [int8, int8]}\n",
                "job.yaml:3:28: strategy.codecs=[int8, int8]: name each once");
        expect(
                HEAD + "strategy: {compress: int8, codecs: [int8]}\n",
                "job.yaml:3:28: strategy.codecs has no meaning for compress int8; it goes with"
                        + " auto");
        expect(
                HEAD + "strategy: {kind: auto, compress: auto}\n",
                "job.yaml:3:24: strategy.compress has no meaning for kind auto, which chooses the"
                        + " codec; leave it out, or name a strategy");
    }

    @Test
    void shouldSayWhatSignsTake() {
        String signs = HEAD + "strategy: {compress: onebit}\n";
        expect(
                signs,
                "job.yaml:3:12: strategy.compress=onebit with train.optimizer=adamw,"
                        + " strategy.exact_steps=0: the variance is learnt in steps that no codec"
                        + " touches; set it to a sixth of the run or so, or take sgd");
        expect(
                signs + "train: {optimizer: {kind: sgd}, clip_norm: 1}\n",
                "job.yaml:3:12: strategy.compress=onebit, train.clip_norm=1.0,"
                    + " train.noise_scale=false: nobody knows the gradient's length by its signs;"
                    + " set clip_norm to 0 and do not measure noise, or take another codec");
        expect(
                HEAD + "strategy: {kind: diloco, compress: onebit}\n",
                "job.yaml:3:26: strategy.compress=onebit goes with data-parallel, not with"
                        + " strategy=diloco: signs of each step's gradients make up for each other,"
                        + " those of rounds are too few; take it, or another codec");
    }

    @Test
    void shouldSayWhatMomentumBeforeTopkTakes() {
        String corrected = HEAD + "strategy: {compress: topk, momentum_correction: true}\n";
        expect(
                corrected,
                "job.yaml:3:28: strategy.momentum_correction=true, but train.optimizer=adamw with"
                        + " momentum 0.0: it corrects the momentum of sgd; take that, or leave it"
                        + " out");
        expect(
                corrected + "train: {optimizer: {kind: sgd, momentum: 0.9}, clip_norm: 1}\n",
                "job.yaml:3:28: strategy.momentum_correction=true, train.clip_norm=1.0,"
                    + " train.noise_scale=false: what travels is momentum, so nobody knows the"
                    + " gradient's length; set clip_norm to 0 and do not measure noise, or leave"
                    + " the correction out");
        expect(
                HEAD + "strategy: {kind: diloco, compress: topk, momentum_correction: true}\n",
                "job.yaml:3:42: strategy.momentum_correction=true goes with data-parallel and"
                        + " compress=topk: take them, or leave it out");
        for (String codec : List.of("compress: topk", "compress: auto, codecs: [int8, topk]")) {
            expect(
                    HEAD + "strategy: {kind: diloco, %s}\n".formatted(codec),
                    "job.yaml:3:26: strategy.compress=topk with strategy=diloco,"
                        + " strategy.outer_momentum=0.9: a change that is left out is found anew in"
                        + " the next round, adds up, and does not learn; set"
                        + " strategy.residual_decay (0.7 was best), a momentum of 0.3 at most, or"
                        + " take another codec");
        }
        expect(
                HEAD + "strategy: {compress: bf16, residual_decay: 0.5}\n",
                "job.yaml:3:28: strategy.residual_decay has no meaning for compress bf16; it goes"
                        + " with auto, int4, int8, onebit, topk");
    }

    @Test
    void shouldSayWhatPowerSgdTakes() {
        expect(
                HEAD + "strategy: {compress: powersdg}\n",
                "job.yaml:3:22: strategy.compress: found the text 'powersdg', expected one of none,"
                        + " bf16, fp16, int8, int4, topk, onebit, powersgd, auto; did you mean"
                        + " powersgd?");
        expect(
                HEAD + "strategy: {compress: powersgd, rank: 0}\n",
                "job.yaml:3:38: strategy.rank: found the number 0, expected at least 1");
        expect(
                HEAD + "strategy: {compress: powersgd, rnak: 2}\n",
                "job.yaml:3:32: unknown key strategy.rnak; did you mean rank?");
        expect(
                HEAD + "strategy: {compress: int8, rank: 2}\n",
                "job.yaml:3:28: strategy.rank has no meaning for compress int8; it goes with"
                        + " powersgd");
        expect(
                HEAD + "strategy: {rank: 2}\n",
                "job.yaml:3:12: strategy.rank has no meaning for compress none; it goes with"
                        + " powersgd");
        expect(
                HEAD + "strategy: {kind: gossip, compress: powersgd}\n",
                "job.yaml:3:26: strategy.compress=powersgd goes with data-parallel, local-sgd and"
                        + " diloco, not with strategy=gossip: take one of them, or another codec");
        expect(
                HEAD + "strategy: {kind: diloco, compress: powersgd}\n",
                "job.yaml:3:26: strategy.compress=powersgd with diloco,"
                    + " strategy.outer_momentum=0.9, strategy.fragments=1, strategy.overlap=0: it"
                    + " learns with a momentum of 0.3 at most, and does not travel in fragments or"
                    + " meanwhile; change them, or take another codec");
        expect(
                HEAD + "strategy: {compress: powersgd}\ntrain: {batch: adaptive}\n",
                "job.yaml:4:9: train.batch=adaptive compares lengths of gradients, which"
                    + " strategy.compress=powersgd shortens: take another codec, or leave it out");
    }

    @Test
    void shouldSayWhatLettersWithinARoundTake() {
        expect(
                HEAD + "strategy: parameter_server\n",
                "job.yaml:3:11: strategy: found the text 'parameter_server', expected one of "
                        + ALL
                        + "; did you mean parameter-server?");
        expect(
                HEAD + "strategy: {kind: parameter-server, sync: bulky}\n",
                "job.yaml:3:42: strategy.sync: found the text 'bulky', expected one of bulk, stale,"
                        + " async; did you mean bulk?");
        expect(
                HEAD + "strategy: {kind: parameter-server, staleness: -1}\n",
                "job.yaml:3:47: strategy.staleness: found the number -1, expected at least 0");
        expect(
                HEAD + "strategy: {kind: parameter-server, sync: bulk, staleness: 2}\n",
                "job.yaml:3:48: strategy.staleness has no meaning for sync bulk; it goes with"
                        + " stale");
        expect(
                HEAD + "strategy: {kind: parameter-server, sync: async, staleness: 0}\n",
                "job.yaml:3:49: strategy.staleness has no meaning for sync async; it goes with"
                        + " stale");
        expect(
                HEAD + "strategy: {kind: parameter-server, servers: per_site}\n",
                "job.yaml:3:45: strategy.servers: found the text 'per_site', expected one of all,"
                        + " per-site; did you mean per-site?");
        expect(
                HEAD + "strategy: {kind: parameter-server, server: all}\n",
                "job.yaml:3:36: unknown key strategy.server; did you mean servers?");
        expect(
                HEAD + "strategy: {kind: diloco, servers: per-site}\n",
                "job.yaml:3:26: strategy.servers has no meaning for kind diloco; it goes with"
                        + " parameter-server");
        expect(
                HEAD + "strategy: {kind: gossip, mix_evry: 2}\n",
                "job.yaml:3:26: unknown key strategy.mix_evry; did you mean mix_every?");
        expect(
                HEAD + "strategy: {kind: gossip, mix_every: 0}\n",
                "job.yaml:3:37: strategy.mix_every: found the number 0, expected at least 1");
        expect(
                HEAD + "strategy: {kind: gossip, sync: bulk}\n",
                "job.yaml:3:26: strategy.sync has no meaning for kind gossip; it goes with"
                        + " parameter-server");
    }
}
