// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/util/ui/StatusText.java
package com.intellij.util.ui;

import com.intellij.ui.SimpleColoredComponent;
import com.intellij.ui.SimpleTextAttributes;
import java.awt.Component;
import java.awt.Dimension;
import java.awt.Graphics;
import java.awt.Rectangle;
import java.awt.event.ActionEvent;
import java.awt.event.ActionListener;
import java.awt.event.MouseAdapter;
import java.awt.event.MouseEvent;
import java.util.ArrayList;
import java.util.List;
import javax.swing.JComponent;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public abstract class StatusText {
  private record Line(SimpleColoredComponent component, ActionListener listener, Rectangle bounds) {}

  private static final int GAP = 2;

  private final JComponent owner;
  private final SimpleColoredComponent component = new SimpleColoredComponent();
  private final List<Line> lines = new ArrayList<>();

  protected StatusText(JComponent owner) {
    this.owner = owner;
    owner.addMouseListener(new MouseAdapter() {
      @Override
      public void mouseClicked(MouseEvent event) {
        place();
        for (Line line : List.copyOf(lines)) {
          boolean isHit = isStatusVisible() && line.bounds.contains(event.getPoint());
          if (isHit && line.listener != null) line.listener.actionPerformed(new ActionEvent(this, 0, ""));
        }
      }
    });
  }

  protected abstract boolean isStatusVisible();

  public @NotNull SimpleColoredComponent getComponent() {
    return component;
  }

  public StatusText clear() {
    lines.clear();
    owner.repaint();
    return this;
  }

  public StatusText appendLine(@NotNull String text, @NotNull SimpleTextAttributes attrs, @Nullable ActionListener listener) {
    SimpleColoredComponent line = new SimpleColoredComponent();
    line.setOpaque(false);
    line.append(text, attrs);
    lines.add(new Line(line, listener, new Rectangle()));
    owner.repaint();
    return this;
  }

  public void paint(Component owner, Graphics graphics) {
    if (!isStatusVisible()) return;
    place();
    for (Line line : lines) {
      Graphics part = graphics.create(line.bounds.x, line.bounds.y, line.bounds.width, line.bounds.height);
      line.component.setBounds(0, 0, line.bounds.width, line.bounds.height);
      line.component.paint(part);
      part.dispose();
    }
  }

  @Override
  public String toString() {
    return String.join("\n", lines.stream().map(line -> line.component.toString()).toList());
  }

  private void place() {
    int height = lines.stream().mapToInt(line -> line.component.getPreferredSize().height + GAP).sum();
    int y = (owner.getHeight() - height) / 3;
    for (Line line : lines) {
      Dimension size = line.component.getPreferredSize();
      line.bounds.setBounds((owner.getWidth() - size.width) / 2, y, size.width, size.height);
      y += size.height + GAP;
    }
  }
}
