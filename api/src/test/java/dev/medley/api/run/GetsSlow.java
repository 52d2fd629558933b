package dev.medley.api.run;

import dev.medley.base.custom.ClassSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.model.Architecture;
import dev.medley.tensor.model.Network;
import dev.medley.tensor.model.Networks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A small model each of whose samples takes a while, in the process of the second launch three
 * times as long from when a file is there. It sleeps meanwhile, so that other load on the machine
 * makes little difference.
 */
public final class GetsSlow implements Architecture {
    private static final int TIMES = 3;

    private final Path sign;
    private final long sampleUs;
    private final boolean isSecond = Handicap.isSecondLaunch();

    /** Options {@code sign}: the file, and {@code us}: what a sample takes while all is well. */
    public GetsSlow(Map<String, String> options) {
        sign = Path.of(options.get("sign"));
        sampleUs = Long.parseLong(options.get("us"));
    }

    /** The model of a job. */
    static ModelSpec of(Path sign, long sampleUs) {
        Map<String, String> options =
                Map.of("sign", sign.toString(), "us", Long.toString(sampleUs));
        return new ModelSpec.Custom(new ClassSpec(GetsSlow.class.getName(), options));
    }

    /** From now on the second is slow. */
    static void begin(Path sign) {
        try {
            if (!Files.exists(sign)) {
                Files.createFile(sign);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Network build(Signature signature) {
        ModelSpec small =
                signature.target().kind() == TargetKind.TOKENS
                        ? new ModelSpec.Transformer(1, 32, 2, 0.1)
                        : ModelSpec.Mlp.plain();
        Network network = Networks.build(small, signature);
        return new Network() {
            @Override
            public void declare(Declaration declaration) {
                network.declare(declaration);
            }

            @Override
            public Tensor forward(List<Tensor> inputs, Pass pass) {
                if (pass.isTraining()) {
                    sleep(inputs.get(0).size(0));
                }
                return network.forward(inputs, pass);
            }
        };
    }

    private void sleep(long samples) {
        boolean isSlow = isSecond && Files.exists(sign);
        try {
            TimeUnit.MICROSECONDS.sleep(samples * sampleUs * (isSlow ? TIMES : 1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
