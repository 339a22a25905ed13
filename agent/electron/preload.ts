import { contextBridge, ipcRenderer } from 'electron';
import { type Bridge, bridgeName, questions, statusNews, type StatusMessage } from './bridge.ts';

const bridge: Bridge = {
  getStatus: () => ipcRenderer.invoke(questions.status),
  getAbout: () => ipcRenderer.invoke(questions.about),
  getExchange: (id) => ipcRenderer.invoke(questions.exchange, id),
  pause: () => ipcRenderer.invoke(questions.pause),
  resume: () => ipcRenderer.invoke(questions.resume),
  onStatus(listener) {
    // The event would hand the page the whole ipcRenderer.
    const hear = (_event: unknown, status: StatusMessage): void => listener(status);
    ipcRenderer.on(statusNews, hear);
    return () => void ipcRenderer.off(statusNews, hear);
  },
};

contextBridge.exposeInMainWorld(bridgeName, bridge);
