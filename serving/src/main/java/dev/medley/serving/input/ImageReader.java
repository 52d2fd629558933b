package dev.medley.serving.input;

import static dev.medley.serving.ServingFailure.check;

import dev.medley.data.encoding.ImageEncoding;
import dev.medley.serving.tensor.DataType;
import dev.medley.serving.tensor.Values;
import dev.medley.serving.tensor.WireTensor;
import java.util.List;

/** Reads pixels from 0 to 255, channel by channel, of images that have the size of training's. */
final class ImageReader implements InputReader {
    private static final int BRIGHTEST = 255;

    private final ImageEncoding encoding;
    private final List<InputPort> ports;

    ImageReader(ImageEncoding encoding) {
        this.encoding = encoding;
        this.ports =
                List.of(
                        new InputPort(
                                "image",
                                DataType.UINT8,
                                List.of(
                                        -1L,
                                        (long) encoding.channels(),
                                        (long) encoding.height(),
                                        (long) encoding.width()),
                                "pixels from 0 to 255"));
    }

    @Override
    public List<InputPort> ports() {
        return ports;
    }

    @Override
    public EncodedRows read(List<WireTensor> inputs) {
        WireTensor image = InputReader.byName(ports, inputs).get("image");
        check(
                image != null && !(image.values() instanceof Values.Texts),
                "input 'image' takes numbers from 0 to 255, and texts were sent");
        int rows = Math.toIntExact(inputs.get(0).rows());
        int pixels = encoding.pixels();
        int recordBytes = pixels + Integer.BYTES;
        byte[] records = new byte[Math.multiplyExact(rows, recordBytes)];
        Values values = inputs.get(0).values();
        for (int row = 0; row < rows; row++) {
            for (int i = 0; i < pixels; i++) {
                double pixel = values.number(row * pixels + i);
                check(
                        pixel >= 0 && pixel <= BRIGHTEST && pixel == Math.rint(pixel),
                        "input 'image', element %d: %s is no pixel; they are whole numbers from 0"
                                + " to 255",
                        row * pixels + i,
                        pixel);
                records[row * recordBytes + i] = (byte) pixel;
            }
        }
        return new EncodedRows.Records(records, recordBytes, rows);
    }
}
