package dev.medley.fleet.elastic.trace;

import java.util.ArrayList;
import java.util.List;

/**
 * Interpolates between points of a plane: the Delaunay triangles, by the empty circumcircle, and
 * barycentric weights within one. Of points on one circle the first triangle is taken. Costs the
 * fourth power of the points to build; there are 76 at most.
 */
final class PlaneTriangles {
    private static final double ROUNDING = 1e-9;

    private final double[][] points;
    private final List<int[]> triangles = new ArrayList<>();

    /** Holds three points' indices and their weights, which sum to 1. */
    record Weights(int[] points, double[] weights) {}

    PlaneTriangles(double[][] points) {
        this.points = points;
        for (int i = 0; i < points.length; i++) {
            for (int j = i + 1; j < points.length; j++) {
                for (int k = j + 1; k < points.length; k++) {
                    if (isEmpty(i, j, k)) {
                        triangles.add(new int[] {i, j, k});
                    }
                }
            }
        }
    }

    /** The weights of the triangle around a place. */
    Weights at(double x, double y) {
        for (int[] corners : triangles) {
            double[] a = points[corners[0]];
            double[] b = points[corners[1]];
            double[] c = points[corners[2]];
            double area = cross(a, b, c);
            double[] place = {x, y};
            double first = cross(place, b, c) / area;
            double second = cross(a, place, c) / area;
            double third = 1 - first - second;
            if (first >= -ROUNDING && second >= -ROUNDING && third >= -ROUNDING) {
                return new Weights(corners, new double[] {first, second, third});
            }
        }
        throw new IllegalArgumentException(
                "no measurements around %s nodes with %s workers".formatted(x, y));
    }

    private boolean isEmpty(int i, int j, int k) {
        double area = cross(points[i], points[j], points[k]);
        if (Math.abs(area) < ROUNDING) {
            return false;
        }
        for (int other = 0; other < points.length; other++) {
            if (other != i
                    && other != j
                    && other != k
                    && inCircle(points[i], points[j], points[k], points[other]) * Math.signum(area)
                            > ROUNDING) {
                return false;
            }
        }
        return true;
    }

    private static double cross(double[] a, double[] b, double[] c) {
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    }

    /** Above 0 where d is inside the circle of a, b and c in counter-clockwise order. */
    private static double inCircle(double[] a, double[] b, double[] c, double[] d) {
        double ax = a[0] - d[0];
        double ay = a[1] - d[1];
        double bx = b[0] - d[0];
        double by = b[1] - d[1];
        double cx = c[0] - d[0];
        double cy = c[1] - d[1];
        return (ax * ax + ay * ay) * (bx * cy - cx * by)
                - (bx * bx + by * by) * (ax * cy - cx * ay)
                + (cx * cx + cy * cy) * (ax * by - bx * ay);
    }
}
