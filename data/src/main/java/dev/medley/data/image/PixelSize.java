package dev.medley.data.image;

import dev.medley.base.job.DataSpec.ImageSpec;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;

/**
 * The size that all images of a set are brought to.
 *
 * @param height pixels
 * @param width pixels
 */
record PixelSize(int height, int width) {
    /** What the user asked for, or else what the files have. */
    static PixelSize of(ImageSpec spec, int fileHeight, int fileWidth) {
        return new PixelSize(
                spec.height() > 0 ? spec.height() : fileHeight,
                spec.width() > 0 ? spec.width() : fileWidth);
    }

    int pixels() {
        return height * width;
    }

    /** A grey image in this size; the same array if it has it already. */
    byte[] fit(byte[] grey, int fromHeight, int fromWidth) {
        if (fromHeight == height && fromWidth == width) {
            return grey;
        }
        BufferedImage source =
                new BufferedImage(fromWidth, fromHeight, BufferedImage.TYPE_BYTE_GRAY);
        System.arraycopy(grey, 0, bytes(source), 0, grey.length);
        return bytes(scaled(source, BufferedImage.TYPE_BYTE_GRAY)).clone();
    }

    /**
     * An image in this size and type. Shrinking goes by halves first, so that every source pixel
     * counts; bilinear.
     */
    BufferedImage scaled(BufferedImage image, int type) {
        BufferedImage current = image;
        while (current.getWidth() >= 2 * width && current.getHeight() >= 2 * height) {
            current = draw(current, current.getWidth() / 2, current.getHeight() / 2, type);
        }
        boolean isDone =
                current.getWidth() == width
                        && current.getHeight() == height
                        && current.getType() == type;
        return isDone ? current : draw(current, width, height, type);
    }

    private static BufferedImage draw(BufferedImage image, int width, int height, int type) {
        BufferedImage target = new BufferedImage(width, height, type);
        Graphics2D graphics = target.createGraphics();
        graphics.setRenderingHint(
                RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        graphics.drawImage(image, 0, 0, width, height, null);
        graphics.dispose();
        return target;
    }

    private static byte[] bytes(BufferedImage grey) {
        return ((DataBufferByte) grey.getRaster().getDataBuffer()).getData();
    }
}
